import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { moneyTexts } from '../../../texts/money.ts'
import { usageTexts } from '../../../texts/usage.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable, numberColumn } from '../../../ui/data-table.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { DottedName } from '../../../ui/dotted-name.tsx'
import { formatCount, formatDuration } from '../../../ui/format.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import styles from '../money.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

type CallsPage = OutputOf<'usage.by_operation'>

const words = usageTexts
const page_size = 20

/** The calls of the organization by operation in a chosen time, the most called first. */
export function CallsByOperation({ organization_id }: { organization_id: string }) {
  const [{ months, offset }, show] = useState({ months: 1, offset: 0 })
  const input = { organization_id, months, limit: page_size, offset }
  const calls = useOperation('usage.by_operation', input, { enabled: organization_id !== '' })
  return (
    <Section title={words.byOperation}>
      <div className={styles['choice']}>
        <SelectField
          label={words.time}
          value={String(months)}
          onChange={(next) => show({ months: Number(next), offset: 0 })}
          choices={Object.entries(words.times).map(([value, label]) => ({ value, label }))}
        />
      </div>
      <QueryView query={calls} rows={6}>
        {(page) =>
          page.operations.length === 0 ? (
            <p>{words.noneInTime}</p>
          ) : (
            <Operations page={page} onTurn={(next) => show({ months, offset: next })} />
          )
        }
      </QueryView>
    </Section>
  )
}

interface OperationsProps {
  readonly page: CallsPage
  /** Shows the page that begins at this row. */
  readonly onTurn: (offset: number) => void
}

const Operations = ({ page: { operations, offset, total }, onTurn }: OperationsProps) => (
  <>
    <DataTable<CallsPage['operations'][number]>
      label={words.byOperation}
      rows={operations}
      getKey={({ operation }) => operation}
      fileName="calls-by-operation"
      columns={[
        {
          title: words.operation,
          value: ({ operation }) => operation,
          render: ({ operation }) => <DottedName name={operation} />,
        },
        numberColumn(words.calls, ({ call_count }) => call_count, formatCount),
        numberColumn(words.failed, (row) => row.failed_call_count, formatCount),
        numberColumn(words.meanTime, ({ mean_duration_ms }) => mean_duration_ms, formatDuration),
      ]}
    />
    {total > page_size && (
      <nav className={`${layout['spread']} ${layout['inset']}`} aria-label={words.byOperation}>
        <Button disabled={offset === 0} onClick={() => onTurn(Math.max(0, offset - page_size))}>
          {words.moreCalled}
        </Button>
        <small className={`${typography['muted']} figures`}>
          {moneyTexts.page(offset + 1, offset + operations.length, total)}
        </small>
        <Button disabled={offset + page_size >= total} onClick={() => onTurn(offset + page_size)}>
          {words.lessCalled}
        </Button>
      </nav>
    )}
  </>
)
