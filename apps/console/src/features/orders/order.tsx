import { Link, useParams } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Order } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { describeLicence } from '../../payments/describe-licence.ts'
import { LicenceTerms } from '../../payments/licence-terms.tsx'
import { ordersTexts } from '../../texts/orders.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen, Section } from '../../ui/screen.tsx'
import { AcquisitionSection } from './acquisition-section.tsx'
import { DeliveredItems } from './delivered-items.tsx'
import { OrderInQgis } from './order-in-qgis.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderBadge } from './order-badge.tsx'
import { OrderCoverage } from './order-coverage.tsx'
import { OrderMoney } from './order-money.tsx'
import { OrderPicture } from './order-picture.tsx'
import { changesSilently, isOpen } from './order-states.ts'
import { TimeLine } from './time-line.tsx'
import { useNames } from './use-names.ts'
import layout from '../../ui/layout.module.css'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import typography from '../../ui/typography.module.css'

/** Changes the name and the tags of an order. */
function EditOrder({ order, onDone }: { order: Order; onDone: () => void }) {
  const [name, setName] = useState(order.displayName)
  const [tags, setTags] = useState(order.tags.join(', '))
  const update = useCommand('orders.update', ['orders.get', 'orders.list'])
  const list = tags.split(',').map((tag) => tag.trim())
  const input = { order_id: order.id, displayName: name.trim() || null, tags: list.filter((tag) => tag !== '') }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    update.mutate(input, { onSuccess: onDone })
  }
  return (
    <Section title={ordersTexts.editTitle}>
      <form className={layout['stack8']} onSubmit={submit}>
        <TextField label={ordersTexts.nameField} value={name} onChange={setName} autoFocus />
        <TextField label={ordersTexts.tags} help={ordersTexts.tagsHelp} value={tags} onChange={setTags} />
        {update.error && <ProblemNote error={update.error} />}
        <div className={`${layout['facts']} ${typography['small']}`}>
          <Button type="submit" kind="primary" isPending={update.isPending}>
            {ordersTexts.save}
          </Button>
          <Button onClick={onDone}>{uiTexts.cancel}</Button>
          <CopyCall operation="orders.update" input={input} />
        </div>
      </form>
    </Section>
  )
}

/** Some states are entered without an event; all others move by the stream of events. */
const silent_interval_ms = 10_000

/** One order: its state, coverage, deliveries and costs. It updates by itself. */
export function OrderDetail() {
  const { orderId } = useParams({ strict: false }) as { orderId: string }
  const [interval, setInterval_ms] = useState<number | null>(silent_interval_ms)
  const order = useOperation(
    'orders.get',
    { order_id: orderId },
    interval === null ? {} : { refetchInterval: interval },
  )
  const wanted = changesSilently(order.data?.status) ? silent_interval_ms : null
  if (order.data && wanted !== interval) setInterval_ms(wanted)
  const [isEditing, setEditing] = useState(false)
  return (
    <Screen
      title={order.data?.displayName ?? ordersTexts.title}
      back={{ to: '/orders', search: keepView }}
      actions={
        order.data && (
          <Button kind="quiet" icon={Pencil} onClick={() => setEditing(!isEditing)} aria-expanded={isEditing}>
            {ordersTexts.edit}
          </Button>
        )
      }
    >
      <QueryView query={order} rows={8}>
        {(data) => (
          <>
            {isEditing && <EditOrder order={data} onDone={() => setEditing(false)} />}
            <OrderParts order={data} />
          </>
        )}
      </QueryView>
    </Screen>
  )
}

/** Describes the next step of an order; of an acquisition, its state. */
function describeNext({ status, subStatus }: Order): string {
  const steps: Readonly<Record<string, string>> = ordersTexts.subStates
  return (isOpen(status) && subStatus !== null ? steps[subStatus] : undefined) ?? ordersTexts.next[status]
}

function OrderParts({ order }: { order: Order }) {
  const names = useNames()
  const reason = order.failureReason?.text ?? order.statusHistory.at(-1)?.reason_text ?? null
  const { id, status, createdAt, createdBy, projectId, licenseType, tags } = order
  return (
    <>
      <div className={`${layout['pictureAndFacts']} ${layout['inset']} ${layout['lineBelow']}`}>
        <OrderPicture order={order} width={96} height={96} />
        <div className={`${layout['stack4']} ${layout['starts']} ${layout['top']}`} role="status">
          <OrderBadge order={order} />
          <p>{describeNext(order)}</p>
          {order.subStatus?.endsWith('_WAITING_RESPONSE') && isOpen(status) && (
            <Link to="/inbox" search={keepView}>
              {ordersTexts.toInbox}
            </Link>
          )}
          {reason && <p>{reason}</p>}
        </div>
      </div>
      <OrderActions order={order} />
      <OrderCoverage orderId={id} />
      {order.tasking && <AcquisitionSection tasking={order.tasking} />}
      <DeliveredItems order={order} />
      {order.itemCount > 0 && <OrderInQgis order={order} />}
      <TimeLine order={order} names={names} />
      <OrderMoney order={order} />
      <div className={`${layout['wrap']} ${layout['inset']} ${layout['lineBelow']}`}>
        <Facts
          facts={[
            [ordersTexts.orderId, <Identifier key="id" id={id} />],
            [ordersTexts.project, names.project(projectId)],
            [
              ordersTexts.licence,
              licenseType && (
                <span key="licence">
                  {describeLicence(licenseType)} <LicenceTerms hosts={order.captures.map(({ host }) => host)} />
                </span>
              ),
            ],
            [ordersTexts.tags, tags.join(', ')],
            [
              ordersTexts.states.CREATED,
              <span key="at">
                <Time at={createdAt} /> {ordersTexts.by(names.person(createdBy))}
              </span>,
            ],
          ]}
        />
        <CopyCall operation="orders.get" input={{ order_id: id }} />
      </div>
    </>
  )
}
