import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Process } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import type { InputSchema } from '../../../schema-form/schema-fields.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { InputSection } from '../form/input-section.tsx'
import { sortFields } from '../form/process-fields.ts'
import { readProcessInput } from '../form/process-input.ts'
import { readRefusedFields } from '../../../api/refused-fields.ts'
import { SourceSection } from '../sources/source-section.tsx'
import { useSources } from '../sources/use-sources.ts'
import { searchFor, useAnalyseUrl } from '../state/use-analyse-url.ts'
import { RunFooter } from './run-footer.tsx'
import { useEstimate } from './use-estimate.ts'
import typography from '../../../ui/typography.module.css'
import { SelectField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'

interface ProjectFieldProps {
  /** Null until an item says one, or a person chooses. */
  readonly project_id: string | null
  readonly onChange: (id: string) => void
}

/** The project of a person who has no choice; null if there are several, or none yet. */
function useOnlyProject(): string | null {
  const { data } = useOperation('projects.list', {})
  const open = data?.projects.filter(({ is_archived }) => !is_archived) ?? []
  return open.length === 1 ? open[0]!.id : null
}

/** The project that the result goes to. */
function ProjectField({ project_id, onChange }: ProjectFieldProps) {
  const projects = useOperation('projects.list', {})
  const known = projects.data?.projects ?? []
  return (
    <Section title={analyseTexts.project}>
      {projects.isError && <ProblemNote error={projects.error} onRetry={() => void projects.refetch()} isRead />}
      <SelectField
        label={analyseTexts.project}
        value={project_id ?? ''}
        choices={[
          ...(project_id === null ? [{ value: '', label: analyseTexts.choose }] : []),
          ...known.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={onChange}
      />
    </Section>
  )
}

const words = analyseTexts

/** One process: its inputs, its price, and the button that runs it. */
export function RunProcess() {
  const { processId } = useParams({ strict: false }) as { processId: string }
  const process = useOperation('processing.catalog.get', { process_id: processId })
  const { choices } = useAnalyseUrl()
  const back = { to: '/analyse', search: searchFor({ ...choices, values: {} }) as never } as const
  if (process.data) return <ProcessScreen key={processId} process={process.data.process} back={back} />
  return (
    <Screen title={words.title} back={back}>
      <QueryView query={process} rows={8}>
        {() => null}
      </QueryView>
    </Screen>
  )
}

interface ProcessScreenProps {
  readonly process: Process
  readonly back: { readonly to: '/analyse'; readonly search: never }
}

function ProcessScreen({ process, back }: ProcessScreenProps) {
  const url = useAnalyseUrl()
  const { choices, change } = url
  const sources = useSources(choices.items)
  const onlyProject = useOnlyProject()
  const fields = useMemo(() => sortFields(process.inputs_schema as InputSchema), [process])
  const input = readProcessInput(fields, choices)
  const estimate = useEstimate(process.id, input)
  const shown = useMemo(
    () => new Set([...fields.main, ...fields.more, ...(fields.area ? [fields.area] : [])].map(({ name }) => name)),
    [fields],
  )
  const refused = readRefusedFields(estimate.error, 'inputs', shown)
  const project_id = choices.project ?? sources.items[0]?.project_id ?? onlyProject
  return (
    <Screen
      title={process.title}
      back={back}
      actions={<CopyCall operation="processing.catalog.get" input={{ process_id: process.id }} />}
      footer={
        <RunFooter
          process={process}
          input={input}
          estimate={estimate}
          isRefusalShown={Object.keys(refused).length > 0}
          items={sources.items}
          project_id={project_id}
        />
      }
    >
      <Section title={words.what}>
        <p className={typography['note']}>{process.description}</p>
      </Section>
      <SourceSection ids={choices.items} sources={sources} onChange={(items) => change({ items })} />
      <InputSection fields={fields} input={input} items={sources.items} url={url} refused={refused} />
      <ProjectField project_id={project_id} onChange={(project) => change({ project })} />
    </Screen>
  )
}
