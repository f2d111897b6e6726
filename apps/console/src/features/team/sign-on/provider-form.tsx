import { useState, type FormEvent } from 'react'
import type { IdentityProvider } from '@swath/client/operations.ts'
import { readRefusedFields } from '../../../api/refused-fields.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { signOnTexts } from '../../../texts/sign-on.ts'
import { teamTexts } from '../../../texts/team.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { CheckboxField, SelectField, TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { useAuthority } from '../use-authority.ts'
import { MappingFields } from './mapping-fields.tsx'
import { PasswordFields } from './password-fields.tsx'
import {
  createProviderDraft,
  isProviderComplete,
  providedRoles,
  toProviderInput,
  type MappedRole,
  type ProviderDraft,
} from './provider-draft.ts'
import styles from './sign-on.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = signOnTexts.provider
const affected = ['organizations.provider.get', 'users.me'] as const

type Refused = Readonly<Record<string, string>>

/** The fields of the operation that the form shows. */
const fieldNames = new Set([
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'domains',
  'roles_claim',
  'mappings',
  'default_role',
])

export interface ProviderFormProps {
  /** The provider that is changed; null for a new one. */
  readonly provider: IdentityProvider | null
  /** The verified domains, of which some sign in with it. */
  readonly verified: readonly string[]
  readonly onSaved: () => void
  readonly onCancel: () => void
}

/** All settings of the provider; requiring it is asked about. */
export function ProviderForm({ provider, verified, onSaved, onCancel }: ProviderFormProps) {
  const set = useCommand('organizations.provider.set', affected)
  const isOwner = useAuthority().role === 'owner'
  const [draft, setDraft] = useState(() => createProviderDraft(provider, verified))
  const change = (changes: Partial<ProviderDraft>): void => setDraft({ ...draft, ...changes })
  const isComplete = isProviderComplete(draft)
  const input = toProviderInput(draft, isOwner)
  const isRequiring = draft.mode === 'required' && provider?.mode !== 'required'
  const refused = readRefusedFields(set.error, null, fieldNames)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete && !isRequiring) set.mutate(input, { onSuccess: onSaved })
  }
  const fields = { draft, onChange: change, refused }
  return (
    <form className={`${layout['stack12']} ${styles['provider']}`} onSubmit={submit}>
      <ClientFields {...fields} provider={provider} />
      <DomainFields {...fields} verified={verified} />
      <PasswordFields draft={draft} onChange={change} />
      <RoleFields {...fields} />
      <div className={layout['wrap']}>
        {isRequiring ? (
          <ConfirmButton
            label={words.save}
            verb={words.save}
            kind="primary"
            confirmKind="danger"
            title={words.requireTitle}
            subject={draft.issuer}
            text={words.requireText}
            cancel={signOnTexts.cancel}
            isComplete={isComplete}
            call={['organizations.provider.set', input]}
            command={set}
            onSuccess={onSaved}
          />
        ) : (
          <Button type="submit" kind="primary" isPending={set.isPending} disabled={!isComplete}>
            {words.save}
          </Button>
        )}
        <Button onClick={onCancel}>{signOnTexts.cancel}</Button>
        {isComplete && <CopyCall operation="organizations.provider.set" input={input} />}
      </div>
      {set.isError && Object.keys(refused).length === 0 && <ProblemNote error={set.error} />}
    </form>
  )
}

interface FieldsProps {
  readonly draft: ProviderDraft
  readonly onChange: (changes: Partial<ProviderDraft>) => void
  readonly refused: Refused
}

/** How the platform is known to the provider. */
const ClientFields = ({ draft, onChange, refused, provider }: FieldsProps & Pick<ProviderFormProps, 'provider'>) => (
  <>
    <TextField
      label={words.issuer}
      help={words.issuerHelp}
      required
      autoFocus
      inputMode="url"
      placeholder="https://"
      spellCheck={false}
      maxLength={500}
      value={draft.issuer}
      onChange={(issuer) => onChange({ issuer })}
      error={refused['issuer'] ?? null}
    />
    <TextField
      label={words.clientId}
      help={words.clientIdHelp}
      required
      spellCheck={false}
      autoComplete="off"
      maxLength={500}
      value={draft.clientId}
      onChange={(clientId) => onChange({ clientId })}
      error={refused['client_id'] ?? null}
    />
    <TextField
      label={words.clientSecret}
      help={provider?.has_client_secret ? words.clientSecretKept : words.clientSecretHelp}
      type="password"
      autoComplete="off"
      maxLength={2000}
      value={draft.clientSecret}
      onChange={(clientSecret) => onChange({ clientSecret })}
      error={refused['client_secret'] ?? null}
    />
    <TextField
      label={words.scopes}
      help={words.scopesHelp}
      required
      spellCheck={false}
      value={draft.scopes}
      onChange={(scopes) => onChange({ scopes })}
      error={refused['scopes'] ?? null}
    />
  </>
)

/** Whom the provider signs in. */
function DomainFields({ draft, onChange, refused, verified }: FieldsProps & Pick<ProviderFormProps, 'verified'>) {
  const { domains } = draft
  const offered = [...new Set([...verified, ...domains])]
  return (
    <>
      <fieldset className={`${layout['boxed']} ${layout['stack8']}`}>
        <legend>{words.domains}</legend>
        {offered.map((domain) => (
          <CheckboxField
            key={domain}
            label={domain}
            checked={domains.includes(domain)}
            onChange={(isChosen) =>
              onChange({ domains: offered.filter((one) => (one === domain ? isChosen : domains.includes(one))) })
            }
          />
        ))}
        {refused['domains'] && (
          <small className={typography['bad']} role="alert">
            {refused['domains']}
          </small>
        )}
      </fieldset>
      <SelectField
        label={words.trust}
        value={draft.trust}
        onChange={(trust) => onChange({ trust: trust as ProviderDraft['trust'] })}
        choices={Object.entries(words.trusts).map(([value, label]) => ({ value, label }))}
      />
      <CheckboxField
        label={words.justInTime}
        checked={draft.isJustInTime}
        onChange={(isJustInTime) => onChange({ isJustInTime })}
      />
    </>
  )
}

/** What members get from the claims of the provider. */
const RoleFields = ({ draft, onChange, refused }: FieldsProps) => (
  <>
    <TextField
      label={words.rolesClaim}
      help={words.rolesClaimHelp}
      spellCheck={false}
      maxLength={200}
      value={draft.rolesClaim}
      onChange={(rolesClaim) => onChange({ rolesClaim })}
      error={refused['roles_claim'] ?? null}
    />
    <MappingFields
      mappings={draft.mappings}
      onChange={(mappings) => onChange({ mappings })}
      error={refused['mappings']}
    />
    <SelectField
      label={words.defaultRole}
      value={draft.defaultRole}
      onChange={(role) => onChange({ defaultRole: role as MappedRole })}
      choices={providedRoles.map((value) => ({ value, label: teamTexts.roles[value] }))}
      error={refused['default_role'] ?? null}
    />
  </>
)
