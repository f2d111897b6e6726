import { Activity } from 'lucide-react'
import type { OutputOf } from '@swath/client/operations.ts'
import { isForbidden } from '../../../api/problem.ts'
import { useMemberNames } from '../../../api/use-member-names.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { usePrincipal } from '../../../api/use-principal.ts'
import { usageTexts } from '../../../texts/usage.ts'
import { LineChart } from '../../../ui/chart/line-chart.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { DataTable, numberColumn, textColumn } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatBytes, formatCount, formatCredits, formatDate, formatDuration, formatMonth } from '../../../ui/format.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { MoneyScreen } from '../money-screen.tsx'
import { CallsByOperation } from './calls-by-operation.tsx'

type CurrentUsage = OutputOf<'usage.current'>
type MonthUsage = CurrentUsage['usage']

const words = usageTexts
const months = 12

/** The usage of the organization this month, by day and caller, its calls by operation, and the months before. */
export function Usage() {
  const organization_id = usePrincipal().data?.organization?.id ?? ''
  const isKnown = organization_id !== ''
  const usage = useOperation('usage.current', { organization_id }, { enabled: isKnown })
  const history = useOperation('usage.history', { organization_id, months }, { enabled: isKnown })
  return (
    <MoneyScreen actions={<CopyCall operation="usage.current" input={{ organization_id }} />}>
      <QueryView query={usage} title={words.thisMonth} rows={6}>
        {(current) => <UsageOfMonth current={current} />}
      </QueryView>
      {/* Who may not read the one may not read the others: it is said once. */}
      {!isForbidden(usage.error) && (
        <>
          <CallsByOperation organization_id={organization_id} />
          <Section title={words.byMonth}>
            <QueryView query={history} rows={3}>
              {({ usage: [, ...before] }) => (before.length === 0 ? <p>{words.noMonth}</p> : <Months rows={before} />)}
            </QueryView>
          </Section>
        </>
      )}
    </MoneyScreen>
  )
}

/** With the spending per day that it goes on: otherwise it cannot be understood in the first days of an organization. */
const describeForecast = ({ forecast_credits, credits_per_day }: OutputOf<'billing.forecast'>): string =>
  words.forecastOf(formatCredits(forecast_credits), formatCredits(Math.round(credits_per_day)))

function UsageOfMonth({ current: { usage, days, operations, callers } }: { current: CurrentUsage }) {
  const nameOf = useMemberNames()
  const forecast = useOperation('billing.forecast', { organization_id: usage.organization_id })
  const nameCaller = ({ kind, id }: CurrentUsage['callers'][number]): string =>
    kind === 'human' ? nameOf(id) : `${words.callerKinds[kind] ?? kind} ${id}`
  const storage = formatBytes(usage.storage_bytes)
  const quota = usage.storage_quota_bytes
  return (
    <>
      <Section title={words.month(formatMonth(usage.period))}>
        <Facts
          facts={[
            [words.calls, formatCount(usage.call_count)],
            [words.failed, formatCount(usage.failed_call_count)],
            [words.tiles, formatCount(usage.tile_count)],
            [words.compute, formatDuration(usage.compute_ms)],
            [words.egress, formatBytes(usage.egress_bytes)],
            [words.downloads, formatCount(usage.download_count)],
            [words.storage, quota === null ? storage : words.ofQuota(storage, formatBytes(quota))],
            [words.orders, formatCount(usage.order_count)],
            [words.jobs, formatCount(usage.job_count)],
            [words.spent, formatCredits(usage.credits_spent)],
            [words.forecast, forecast.data && describeForecast(forecast.data)],
          ]}
        />
      </Section>
      {operations.length === 0 ? (
        <EmptyState icon={Activity} title={words.none}>
          <p>{words.noneHelp}</p>
        </EmptyState>
      ) : (
        <>
          {days.length > 1 && <CallsByDay days={days} />}
          <Section title={words.byCaller}>
            <DataTable<CurrentUsage['callers'][number]>
              label={words.byCaller}
              rows={callers}
              getKey={({ id }) => id}
              fileName="calls-by-caller"
              columns={[
                textColumn(words.caller, nameCaller),
                numberColumn(words.calls, ({ call_count }) => call_count, formatCount),
                numberColumn(words.tiles, ({ tile_count }) => tile_count, formatCount),
              ]}
            />
          </Section>
        </>
      )}
    </>
  )
}

const CallsByDay = ({ days }: Pick<CurrentUsage, 'days'>) => (
  <Section title={words.byDay}>
    <LineChart
      label={words.byDayLabel}
      x={days.map(({ day }) => Date.parse(day))}
      formatX={(time) => formatDate(new Date(time).toISOString())}
      formatY={formatCount}
      hasMarks
      series={[
        { name: words.calls, colour: 'var(--accent)', values: days.map(({ call_count }) => call_count) },
        { name: words.failed, colour: 'var(--bad)', values: days.map(({ failed_call_count }) => failed_call_count) },
      ]}
    />
  </Section>
)

const Months = ({ rows }: { rows: readonly MonthUsage[] }) => (
  <DataTable<MonthUsage>
    label={words.byMonth}
    rows={rows}
    getKey={({ period }) => period}
    fileName="usage-by-month"
    columns={[
      { title: words.period, value: ({ period }) => period, render: ({ period }) => formatMonth(period) },
      numberColumn(words.calls, ({ call_count }) => call_count, formatCount),
      numberColumn(words.egress, ({ egress_bytes }) => egress_bytes, formatBytes),
      numberColumn(words.spent, ({ credits_spent }) => credits_spent, formatCredits),
    ]}
  />
)
