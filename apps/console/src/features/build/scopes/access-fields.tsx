import { usePrincipal } from '../../../api/use-principal.ts'
import { buildTexts } from '../../../texts/build.ts'
import { SelectField } from '../../../ui/field.tsx'
import type { Access } from '../permissions.ts'
import type { AccessDraft } from './access.ts'
import { ScopeChoice } from './scope-choice.tsx'
import { isPrivileged, offeredScopes } from './scopes.ts'

export interface AccessFieldsProps {
  readonly draft: AccessDraft
  readonly onChange: (draft: AccessDraft) => void
  /** Whether the credential may have the scopes of operators, if the person has them. */
  readonly hasPrivileged?: boolean
  readonly error?: string | undefined
}

/** The choice of what a credential may do: nothing that the person may not do. */
export function AccessFields({ draft, onChange, hasPrivileged = false, error }: AccessFieldsProps) {
  const held = usePrincipal().data?.scopes ?? []
  const offered = offeredScopes(held).filter((scope) => hasPrivileged || !isPrivileged(scope))
  const isChosen = draft.access === 'chosen'
  return (
    <>
      <SelectField
        label={buildTexts.scopes}
        value={draft.access}
        onChange={(value) => onChange({ ...draft, access: value as Access })}
        choices={Object.entries(buildTexts.access).map(([value, label]) => ({ value, label }))}
        error={isChosen ? null : (error ?? null)}
      />
      {isChosen && (
        <ScopeChoice
          offered={[...new Set([...offered, ...draft.scopes])]}
          chosen={draft.scopes}
          onChange={(scopes) => onChange({ ...draft, scopes })}
          error={error}
        />
      )}
    </>
  )
}
