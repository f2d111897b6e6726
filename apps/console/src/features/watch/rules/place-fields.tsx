import { useOperation } from '../../../api/use-operation.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { SelectField } from '../../../ui/field.tsx'
import type { RuleFieldsProps } from './rule-draft.ts'

const words = alertsTexts.form

/** The project and the collection whose items are watched. A rule keeps the project that it was made for. */
export function PlaceFields({ draft, isNew, onChange }: RuleFieldsProps & { readonly isNew: boolean }) {
  const { projectId, collectionId } = draft
  const projects = useOperation('projects.list', {}, { enabled: isNew })
  const collections = useOperation('collections.list', { project_id: projectId }, { enabled: projectId !== '' })
  return (
    <>
      {isNew && (
        <SelectField
          label={words.project}
          value={projectId}
          choices={[
            { value: '', label: words.allProjects },
            ...(projects.data?.projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(value) => onChange({ projectId: value, collectionId: '' })}
        />
      )}
      {projectId !== '' && (
        <SelectField
          label={words.collection}
          value={collectionId}
          choices={[
            { value: '', label: words.allCollections },
            ...(collections.data?.collections ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(value) => onChange({ collectionId: value })}
        />
      )}
    </>
  )
}
