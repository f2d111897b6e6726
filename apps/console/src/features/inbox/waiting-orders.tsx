import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { inboxTexts } from '../../texts/inbox.ts'
import { Time } from '../../ui/figures.tsx'
import { Section } from '../../ui/screen.tsx'
import layout from '../../ui/layout.module.css'

const words = inboxTexts.providers
/** Sub-statuses in which a provider has to answer first. */
const waiting = ['FEASIBILITY_WAITING_UPLOAD', 'QUOTATION_WAITING_UPLOAD'] as const
const input = { type: 'tasking', subStatus: waiting.join(','), size: 20 }

/** Orders whose study or quotation is still being made; nothing if there are none. */
export function WaitingOrders() {
  const orders = useOperation('orders.list', input)
  const rows = orders.data?.content ?? []
  if (rows.length === 0) return null
  return (
    <Section title={words.title}>
      <ul className={layout['stack8']}>
        {rows.map(({ id, displayName, subStatus, createdAt }) => (
          <li className={layout['grid']} key={id}>
            <Link to="/orders/$orderId" params={{ orderId: id }} search={keepView}>
              {displayName}
            </Link>
            <small>
              {subStatus === waiting[0] ? words.study : words.quotation} {words.since} <Time at={createdAt} />
            </small>
          </li>
        ))}
      </ul>
    </Section>
  )
}
