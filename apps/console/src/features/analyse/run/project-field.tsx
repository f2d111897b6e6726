import { useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { SelectField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'

interface ProjectFieldProps {
  /** Null until an item says one, or a person chooses. */
  readonly project_id: string | null
  readonly onChange: (id: string) => void
}

/** The project of a person who has no choice; null if there are several, or none yet. */
export function useOnlyProject(): string | null {
  const { data } = useOperation('projects.list', {})
  const open = data?.projects.filter(({ is_archived }) => !is_archived) ?? []
  return open.length === 1 ? open[0]!.id : null
}

/** The project that the result goes to. */
export function ProjectField({ project_id, onChange }: ProjectFieldProps) {
  const projects = useOperation('projects.list', {})
  const known = projects.data?.projects ?? []
  return (
    <Section title={texts.analyse.project}>
      {projects.isError && <ProblemNote error={projects.error} onRetry={() => void projects.refetch()} isRead />}
      <SelectField
        label={texts.analyse.project}
        value={project_id ?? ''}
        choices={[
          ...(project_id === null ? [{ value: '', label: texts.analyse.choose }] : []),
          ...known.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={onChange}
      />
    </Section>
  )
}
