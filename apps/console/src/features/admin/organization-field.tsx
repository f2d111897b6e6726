import { useId, useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { isUuid } from '../../api/is-uuid.ts'
import { useOperation } from '../../api/use-operation.ts'
import { useSettled } from '../../api/use-settled.ts'
import { adminTexts } from '../../texts/admin.ts'
import { TextField } from '../../ui/field.tsx'
import { findOrganization } from './find-organization.ts'

const words = adminTexts
const no_organizations: OutputOf<'admin.orgs.list'>['organizations'] = []
const max_suggestions = 20

export interface OrganizationChoice {
  readonly text: string
  readonly setText: (text: string) => void
  /** Organizations whose name contains the text. */
  readonly suggestions: OutputOf<'admin.orgs.list'>['organizations']
  /** Null until the text is an id, or the name of one organization alone. */
  readonly organization_id: string | null
  /** Why the text is no choice; null while that is not known. */
  readonly error: string | null
}

/** An organization that is chosen by its name or by its id. */
export function useOrganizationChoice(): OrganizationChoice {
  const [text, setText] = useState('')
  const search = text.trim()
  const settled = useSettled(search)
  const isSearched = settled !== '' && !isUuid(settled)
  const found = useOperation('admin.orgs.list', { limit: max_suggestions, search: settled }, { enabled: isSearched })
  const suggestions = (isSearched && found.data?.organizations) || no_organizations
  const match = findOrganization(suggestions, search)
  if (typeof match === 'object') return { text, setText, suggestions, organization_id: match.id, error: null }
  const isUnknown = isSearched && settled === search && found.isSuccess && suggestions.length === 0
  const errors = { none: isUnknown ? words.unknownOrganization : null, several: words.severalOrganizations }
  return { text, setText, suggestions, organization_id: null, error: errors[match] }
}

/** Suggests organizations while a name is written. */
export function OrganizationField({ choice }: { readonly choice: OrganizationChoice }) {
  const list_id = useId()
  return (
    <>
      <TextField
        label={words.organization}
        help={words.organizationHelp}
        error={choice.error}
        list={list_id}
        autoComplete="off"
        value={choice.text}
        onChange={choice.setText}
      />
      <datalist id={list_id}>
        {choice.suggestions.map(({ id, name }) => (
          <option key={id} value={name}>
            {id}
          </option>
        ))}
      </datalist>
    </>
  )
}
