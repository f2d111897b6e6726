import { Plus, X } from 'lucide-react'
import { useOperation } from '../../../api/use-operation.ts'
import { signOnTexts } from '../../../texts/sign-on.ts'
import { teamTexts } from '../../../texts/team.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { providedRoles, type MappingDraft } from './provider-draft.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = signOnTexts.provider

interface MappingFieldsProps {
  readonly mappings: readonly MappingDraft[]
  readonly onChange: (mappings: readonly MappingDraft[]) => void
  readonly error: string | undefined
}

/** What each group of the provider gives its members. */
export function MappingFields({ mappings, onChange, error }: MappingFieldsProps) {
  const replace = (at: number, mapping: MappingDraft): void => onChange(mappings.with(at, mapping))
  return (
    <fieldset className={`${layout['boxed']} ${layout['stack12']}`}>
      <legend>{words.mappings}</legend>
      <p className={typography['muted']}>{words.mappingsHelp}</p>
      {mappings.length === 0 && <p>{words.noMappings}</p>}
      {mappings.map((mapping, at) => (
        // A group has no other name than what is entered.
        <div key={at} className={layout['stack8']} role="group" aria-label={mapping.value || words.mapping(at + 1)}>
          <MappingRow
            mapping={mapping}
            onChange={(next) => replace(at, next)}
            onRemove={() => onChange(mappings.toSpliced(at, 1))}
          />
        </div>
      ))}
      {error && (
        <small className={typography['bad']} role="alert">
          {error}
        </small>
      )}
      <div>
        <Button icon={Plus} onClick={() => onChange([...mappings, { value: '', role: 'member', projects: [] }])}>
          {words.addMapping}
        </Button>
      </div>
    </fieldset>
  )
}

interface MappingRowProps {
  readonly mapping: MappingDraft
  readonly onChange: (mapping: MappingDraft) => void
  readonly onRemove: () => void
}

function MappingRow({ mapping, onChange, onRemove }: MappingRowProps) {
  const { value, role } = mapping
  return (
    <>
      <div className={layout['fields']}>
        <TextField
          label={words.value}
          required
          maxLength={200}
          spellCheck={false}
          value={value}
          onChange={(text) => onChange({ ...mapping, value: text })}
        />
        <SelectField
          label={words.role}
          value={role}
          onChange={(next) => onChange({ ...mapping, role: next as MappingDraft['role'] })}
          choices={[
            { value: '', label: words.noRole },
            ...providedRoles.map((known) => ({ value: known, label: teamTexts.roles[known] })),
          ]}
        />
        <Button icon={X} aria-label={words.removeMapping(value)} onClick={onRemove}>
          {words.remove}
        </Button>
      </div>
      <ProjectFields mapping={mapping} onChange={onChange} />
    </>
  )
}

/** The projects of a group, of which each can be taken away, and a field that adds one. */
function ProjectFields({ mapping, onChange }: Omit<MappingRowProps, 'onRemove'>) {
  const { value, projects } = mapping
  const known = useOperation('projects.list', {}).data?.projects ?? []
  const nameOf = (id: string): string => known.find((project) => project.id === id)?.name ?? id
  const others = known.filter(
    ({ id, is_archived }) => !is_archived && !projects.some(({ project_id }) => project_id === id),
  )
  return (
    <>
      {projects.length > 0 && (
        <ul className={layout['chips']} aria-label={words.projects}>
          {projects.map(({ project_id }) => (
            <li key={project_id}>
              <Button
                icon={X}
                aria-label={words.removeProject(nameOf(project_id), value)}
                onClick={() =>
                  onChange({ ...mapping, projects: projects.filter((one) => one.project_id !== project_id) })
                }
              >
                {nameOf(project_id)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <SelectField
          label={words.addProject}
          value=""
          onChange={(project_id) => onChange({ ...mapping, projects: [...projects, { project_id, role: 'editor' }] })}
          choices={[
            { value: '', label: words.chooseProject },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
    </>
  )
}
