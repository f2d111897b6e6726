import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useState } from 'react'
import type { AlertRule, BacktestResult } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { Button } from '../../../ui/button.tsx'
import { LineChart } from '../../../ui/chart/line-chart.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toBacktestSeries } from './backtest-series.ts'
import { formatMeasure } from './rule-text.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = alertsTexts.backtest

/** The results of a rule for the newest past items, as a chart against its threshold. */
export function Backtest({ rule }: { rule: AlertRule }) {
  const run = useCommand('alerts.backtest_rule')
  const [results, setResults] = useState<readonly BacktestResult[] | null>(null)
  const input = { rule_id: rule.id }
  const first = results?.find(({ datetime }) => datetime !== null)?.datetime ?? null
  const measure = (): void => run.mutate(input, { onSuccess: (output) => setResults(output.results) })
  const measureOlder = (): void =>
    run.mutate(
      { ...input, datetime: `../${first}` },
      { onSuccess: (output) => setResults((newer) => joinResults(output.results, newer ?? [])) },
    )
  return (
    <Section title={words.title} actions={<CopyCall operation="alerts.backtest_rule" input={input} />}>
      <p className={typography['muted']}>{words.help}</p>
      {results && <Outcome rule={rule} results={results} />}
      {run.isPending && results === null && <Skeleton rows={1} height_px={168} />}
      <div className={layout['wrap']}>
        <Button icon={Play} isPending={run.isPending} onClick={measure}>
          {results ? words.again : words.run}
        </Button>
        {run.data?.truncated && first !== null && (
          <Button isPending={run.isPending} onClick={measureOlder}>
            {words.older}
          </Button>
        )}
      </div>
      {run.isError && <ProblemNote error={run.error} />}
    </Section>
  )
}

/** The items at the end of the older results are in the newer ones, too. */
function joinResults(older: readonly BacktestResult[], newer: readonly BacktestResult[]): readonly BacktestResult[] {
  const known = new Set(newer.map(({ item_id }) => item_id))
  return [...older.filter(({ item_id }) => !known.has(item_id)), ...newer]
}

function Outcome({ rule, results }: { rule: AlertRule; results: readonly BacktestResult[] }) {
  if (results.length === 0) return <p role="status">{words.none}</p>
  const fired = results.filter(({ outcome }) => outcome === 'triggered')
  const measured = results.filter(({ computed_value }) => computed_value !== null)
  const { x, series } = toBacktestSeries(rule, results)
  return (
    <>
      <p role="status">
        <b>{words.would(fired.length, measured.length)}</b>
      </p>
      {x.length > 1 && (
        <LineChart
          label={words.chart(rule.name)}
          x={x}
          series={series}
          formatX={(time_ms) => formatDate(new Date(time_ms).toISOString())}
          formatY={formatMeasure}
          hasMarks
        />
      )}
      <details className={layout['stack12']} open={x.length < 2}>
        <summary>{words.table}</summary>
        <DataTable
          label={words.title}
          rows={results}
          getKey={({ item_id }) => item_id}
          columns={[
            {
              title: words.date,
              render: ({ item_id, datetime }) => (
                <Link to="/library/items/$itemId" params={{ itemId: item_id }} search={keepView}>
                  {datetime ? formatDate(datetime) : words.item}
                </Link>
              ),
            },
            {
              title: words.value,
              isNumeric: true,
              render: ({ computed_value }) => (computed_value === null ? '—' : formatMeasure(computed_value)),
            },
            {
              title: words.outcome,
              render: ({ outcome, reason }) => (
                <>
                  {outcome === 'triggered' ? <b>{words.outcomes[outcome]}</b> : words.outcomes[outcome]}
                  {reason && <small className={typography['muted']}> {reason}</small>}
                </>
              ),
            },
          ]}
        />
      </details>
    </>
  )
}
