import { ReceiptText } from 'lucide-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { moneyTexts } from '../../texts/money.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DataTable, numberColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { LineChart } from '../../ui/chart/line-chart.tsx'
import { formatCount, formatDate } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { chargesByDay } from './charges-by-day.ts'
import { EntryReference, useReferenceNames } from './entry-reference.tsx'
import { Explanation } from './explanation.tsx'
import { MoneyScreen } from './money-screen.tsx'
import styles from './money.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type Journal = OutputOf<'billing.credits.transactions'>
type Reason = NonNullable<InputOf<'billing.credits.transactions'>['reason']>

const page_size = 50
const { entries, reasons } = moneyTexts

interface JournalSearch {
  readonly offset: number
  readonly reason: Reason | null
  /** The entry that is explained. */
  readonly entry: string | null
}

/** The state of the journal in the URL. */
function useJournalSearch(): [JournalSearch, (next: Partial<JournalSearch>) => void] {
  const navigate = useNavigate()
  const { offset, reason, entry } = useSearch({ strict: false }) as Record<string, unknown>
  const search: JournalSearch = {
    offset: Number.isInteger(offset) && Number(offset) > 0 ? Number(offset) : 0,
    reason: typeof reason === 'string' && Object.hasOwn(reasons, reason) ? (reason as Reason) : null,
    entry: typeof entry === 'string' ? entry : null,
  }
  const show = (change: Partial<JournalSearch>): void => {
    const next = { ...search, ...change }
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({
        ...(v ? { v } : {}),
        ...(next.reason ? { reason: next.reason } : {}),
        ...(next.offset > 0 ? { offset: next.offset } : {}),
        ...(next.entry ? { entry: next.entry } : {}),
      }),
    })
  }
  return [search, show]
}

/** Every movement of the wallet, the newest first, each with its reason. */
export function Journal() {
  const [{ offset, reason, entry }, show] = useJournalSearch()
  const input = { limit: page_size, offset, ...(reason ? { reason } : {}) }
  const journal = useOperation('billing.credits.transactions', input)
  return (
    <MoneyScreen actions={<CopyCall operation="billing.credits.transactions" input={input} />}>
      <div className={styles['filters']}>
        <SelectField
          label={moneyTexts.filter}
          value={reason ?? ''}
          onChange={(next) => show({ reason: (next || null) as Reason | null, offset: 0, entry: null })}
          choices={[
            { value: '', label: moneyTexts.allEntries },
            ...Object.entries(reasons).map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      <QueryView query={journal} rows={8}>
        {(page) =>
          page.transactions.length === 0 ? (
            <NoEntries isFiltered={reason !== null || offset > 0} onClear={() => show({ reason: null, offset: 0 })} />
          ) : (
            <Entries page={page} open={entry} onOpen={(next) => show({ entry: next })} onTurn={(next) => show({ offset: next, entry: null })} /> // prettier-ignore
          )
        }
      </QueryView>
    </MoneyScreen>
  )
}

function NoEntries({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState icon={ReceiptText} title={moneyTexts.noneOfKind}>
        <Button onClick={onClear}>{moneyTexts.showAll}</Button>
      </EmptyState>
    )
  return (
    <EmptyState icon={ReceiptText} title={moneyTexts.noEntries}>
      <p>{moneyTexts.noEntriesHelp}</p>
      <Link to="/money" search={keepView}>
        {moneyTexts.toTopUp}
      </Link>
    </EmptyState>
  )
}

interface EntriesProps {
  readonly page: Journal
  readonly open: string | null
  readonly onOpen: (id: string | null) => void
  readonly onTurn: (offset: number) => void
}

/** Entries that leave the available credits as they are: a charge was held before, and tax is part of a price. */
const unchanged: Readonly<Record<string, string>> = moneyTexts.unchanged

function Change({ reason, amount_credits: credits }: Journal['transactions'][number]) {
  const note = unchanged[reason]
  if (note)
    return (
      <span className={typography['muted']}>
        {formatCount(Math.abs(credits))}
        <br />
        <small>{note}</small>
      </span>
    )
  return credits > 0 ? `+${formatCount(credits)}` : formatCount(credits)
}

const nameReason = ({ reason }: Journal['transactions'][number]): string =>
  reasons[reason as keyof typeof reasons] ?? reason

/** On small screens the time stands below the reason, and the balance is left to the explanation. */
const ReasonAndTime = (entry: Journal['transactions'][number]) => (
  <>
    {nameReason(entry)}
    <small className={styles['narrow']}>
      <Time at={entry.created_at} />
    </small>
  </>
)

function ChargesByDay({ entries: shown }: { entries: Journal['transactions'] }) {
  const { x, credits } = chargesByDay(shown)
  if (x.length < 2) return null
  return (
    <Section title={moneyTexts.chargesByDay}>
      <LineChart
        label={moneyTexts.chargesByDayLabel}
        x={x}
        formatX={(time) => formatDate(new Date(time).toISOString())}
        formatY={formatCount}
        hasMarks
        series={[{ name: entries.amount, colour: 'var(--accent)', values: credits }]}
      />
    </Section>
  )
}

function Entries({ page: { transactions, offset, total }, open, onOpen, onTurn }: EntriesProps) {
  const names = useReferenceNames(transactions)
  return (
    <>
      <ChargesByDay entries={transactions} />
      <div className={styles['table']}>
        <DataTable<Journal['transactions'][number]>
          label={moneyTexts.journal}
          rows={transactions}
          getKey={({ id }) => id}
          fileName="journal"
          columns={[
            {
              title: entries.time,
              isWideOnly: true,
              value: ({ created_at }) => created_at,
              render: ({ created_at }) => <Time at={created_at} />,
            },
            { title: entries.reason, value: nameReason, render: (entry) => <ReasonAndTime {...entry} /> },
            {
              title: entries.reference,
              value: ({ reference }) => names(reference),
              render: ({ reference }) => <EntryReference reference={reference} names={names} />,
            },
            { title: entries.amount, isNumeric: true, value: ({ amount_credits }) => amount_credits, render: Change },
            numberColumn(entries.balance, (entry) => entry.balance_after_credits, formatCount, { isWideOnly: true }),
            {
              title: entries.why,
              render: ({ id }) => (
                <Button kind="quiet" aria-expanded={open === id} onClick={() => onOpen(open === id ? null : id)}>
                  {moneyTexts.why}
                </Button>
              ),
            },
          ]}
          renderDetail={({ id }) => open === id && <Explanation transactionId={id} />}
        />
      </div>
      <nav className={`${layout['spread']} ${layout['inset']}`} aria-label={moneyTexts.journal}>
        <Button disabled={offset === 0} onClick={() => onTurn(Math.max(0, offset - page_size))}>
          {moneyTexts.previous}
        </Button>
        <small className={`${typography['muted']} figures`}>
          {moneyTexts.page(offset + 1, offset + transactions.length, total)}
        </small>
        <Button disabled={offset + page_size >= total} onClick={() => onTurn(offset + page_size)}>
          {moneyTexts.next}
        </Button>
      </nav>
    </>
  )
}
