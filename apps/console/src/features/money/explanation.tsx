import { Link } from '@tanstack/react-router'
import type { ChargeExplanation } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { moneyTexts } from '../../texts/money.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { formatArea, formatCount, formatTime } from '../../ui/format.ts'
import { Identifier } from '../../ui/identifier.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import styles from './money.module.css'
import layout from '../../ui/layout.module.css'

const words = moneyTexts.explained

/** The explanation of a journal entry: a sentence, the charge, and the entries with their postings. */
export function Explanation({ transactionId }: { transactionId: string }) {
  const input = { transaction_id: transactionId }
  const explanation = useOperation('billing.charge.explain', input)
  return (
    <div className={`${layout['stack8']} ${styles['why']}`} role="status">
      <QueryView query={explanation} rows={1}>
        {(data) => (
          <>
            <p>{data.sentence}</p>
            {data.lines.length > 0 && <Lines lines={data.lines} />}
            <Entries entries={data.entries} />
            <div className={layout['row']}>
              {data.reference.type === 'order' && (
                <Link to="/orders/$orderId" params={{ orderId: data.reference.id }} search={keepView}>
                  {words.order}
                </Link>
              )}
              <CopyCall operation="billing.charge.explain" input={input} />
            </div>
          </>
        )}
      </QueryView>
    </div>
  )
}

const formatQuantity = (value: number, unit: string): string =>
  unit === 'km2' ? formatArea(value) : `${value} ${unit}`

function Lines({ lines }: Pick<ChargeExplanation, 'lines'>) {
  return (
    <>
      <h3>{words.lines}</h3>
      <ul className={`${layout['stack4']}`}>
        {lines.map((line) => (
          <li className={layout['split']} key={line.description}>
            <span className={layout['grid']}>
              {line.description}
              <small>
                {formatQuantity(line.charged_quantity, line.unit)} × {formatCount(line.rate_credits)}
              </small>
            </span>
            <span className="figures">{formatCount(line.amount_credits)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const { reasons } = moneyTexts

function Entries({ entries }: Pick<ChargeExplanation, 'entries'>) {
  return (
    <details>
      <summary>{words.postings}</summary>
      {entries.map(({ id, position, kind, created_at, postings, hash }) => (
        <div key={id}>
          <h3>
            {position} · {reasons[kind as keyof typeof reasons] ?? kind} · {formatTime(created_at)}
          </h3>
          <ul className={`${layout['stack4']}`}>
            {postings.map(({ account, lot_id, amount_credits }) => (
              <li className={layout['split']} key={`${account}${lot_id}`}>
                <code>{account}</code>
                <span className="figures">{formatCount(amount_credits)}</span>
              </li>
            ))}
          </ul>
          <Identifier id={hash} />
        </div>
      ))}
    </details>
  )
}
