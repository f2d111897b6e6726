import { useNavigate } from '@tanstack/react-router'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { OutputOf, Process } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { PaymentDialog } from '../../../payments/payment-dialog.tsx'
import { analyseTexts } from '../../../texts/analyse.ts'
import { moneyTexts } from '../../../texts/money.ts'
import { DataTable, type Column } from '../../../ui/data-table.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatArea, formatCredits } from '../../../ui/format.ts'
import type { AnalysedItem } from '../sources/analysed-item.ts'
import { describeSize, type JobPrice } from './job-price.ts'
import typography from '../../../ui/typography.module.css'

const words = analyseTexts
const max_named_items = 3

export interface RunDialogProps {
  readonly process: Process
  readonly inputs: Readonly<Record<string, unknown>>
  readonly price: JobPrice
  readonly items: readonly AnalysedItem[]
  readonly project_id: string
  readonly verb: string
  readonly onClose: () => void
}

/** The dialog before a run: the process, its price, and the ledger entries of a dry run, which writes none. */
export function RunDialog({ process, inputs, price, items, project_id, verb, onClose }: RunDialogProps) {
  const navigate = useNavigate()
  const projects = useOperation('projects.list', {})
  const price_credits = price.reused_job_id ? 0 : price.credits
  const input = { process_id: process.id, workspaceId: project_id, inputs, max_credits: price_credits }
  const area = inputs['geometry'] as AreaGeometry | undefined
  return (
    <PaymentDialog
      title={words.dialog}
      operation="processing.execute"
      input={input}
      affected={['processing.jobs.list', 'processing.catalog.estimate']}
      price_credits={price_credits}
      verb={verb}
      onDone={({ job }) => void navigate({ to: '/analyse/jobs/$jobId', params: { jobId: job.id }, search: keepView })}
      onClose={onClose}
    >
      <Facts
        facts={[
          [words.facts.process, process.title],
          [words.facts.items, nameItems(items, inputs)],
          [words.facts.area, area && formatArea(geometryArea_km2(area))],
          [words.facts.project, projects.data?.projects.find(({ id }) => id === project_id)?.name],
          [words.facts.size, describeSize(price)],
        ]}
      />
      <small className={typography['note']}>{price.reused_job_id ? words.reused : words.neverCharged}</small>
      {price_credits > 0 && <DryRun input={input} />}
    </PaymentDialog>
  )
}

/** The items that the inputs name. */
function nameItems(items: readonly AnalysedItem[], inputs: RunDialogProps['inputs']): string {
  const wanted = new Set(Object.values(inputs).flat())
  const names = items.filter(({ id }) => wanted.has(id)).map(({ title }) => title)
  const more = names.length - max_named_items
  return [names.slice(0, max_named_items).join(', '), more > 0 ? `+ ${more}` : ''].filter(Boolean).join(' ')
}

type Entry = NonNullable<OutputOf<'processing.execute'>['dry_run']>['entries'][number]

const entryKinds: Readonly<Record<string, string>> = moneyTexts.reasons

const entryColumns: readonly Column<Entry>[] = [
  { title: words.entry, render: ({ kind }) => entryKinds[kind] ?? kind },
  { title: words.amount, isNumeric: true, render: ({ amount_credits }) => formatCredits(amount_credits) },
  {
    title: words.availableAfter,
    isNumeric: true,
    render: ({ available_after_credits }) => formatCredits(available_after_credits),
  },
]

interface DryRunProps {
  readonly input: {
    readonly process_id: string
    readonly workspaceId: string
    readonly inputs: Readonly<Record<string, unknown>>
    readonly max_credits: number
  }
}

/** A wallet without enough credits has no entries to show; the dialog says how many are missing. */
function DryRun({ input }: DryRunProps) {
  const { data } = useOperation('processing.execute', { ...input, dry_run: true })
  const entries = data?.dry_run?.entries ?? []
  if (entries.length === 0) return null
  return (
    <details>
      <summary>{words.dryRun}</summary>
      <DataTable
        label={words.dryRun}
        columns={entryColumns}
        rows={entries}
        getKey={({ kind, available_after_credits }) => `${kind} ${available_after_credits}`}
      />
      <small className={typography['note']}>{words.dryRunHelp}</small>
    </details>
  )
}
