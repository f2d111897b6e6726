import { useState, type FormEvent } from 'react'
import type { ScimToken } from '@swath/client/operations.ts'
import { isForbidden } from '../../../api/problem.ts'
import { readRefusedFields } from '../../../api/refused-fields.ts'
import { useMemberNames } from '../../../api/use-member-names.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { byState, CredentialBadge } from '../../../credentials/credential-state.tsx'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { signOnTexts } from '../../../texts/sign-on.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { CopiedValue } from '../../../credentials/copied-value.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { SecretOnce } from '../../../credentials/secret-once.tsx'
import { scimBaseUrl } from './addresses.ts'
import styles from './sign-on.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = signOnTexts.scim
const input = { limit: 50 }
const affected = ['organizations.scim_tokens.list'] as const
const defaultDays = '365'
const fieldNames = new Set(['name', 'expires_in_days'])

/** The tokens with which a directory provisions members. */
export function ScimTokens() {
  const tokens = useOperation('organizations.scim_tokens.list', input)
  return (
    <Section title={words.heading} actions={<CopyCall operation="organizations.scim_tokens.list" input={input} />}>
      <p className={typography['muted']}>{words.help}</p>
      <Facts facts={[[words.baseUrl, <CopiedValue key="url" text={scimBaseUrl()} copyLabel={words.copyBaseUrl} />]]} />
      {!isForbidden(tokens.error) && <NewScimToken />}
      <QueryView query={tokens} rows={2}>
        {({ scim_tokens: known, total }) =>
          known.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <>
              <ul className={layout['stack12']}>
                {byState(known).map((token) => (
                  <TokenRow key={token.id} token={token} />
                ))}
              </ul>
              {total > known.length && <p className={typography['muted']}>{words.more(total - known.length)}</p>}
            </>
          )
        }
      </QueryView>
    </Section>
  )
}

function NewScimToken() {
  const create = useCommand('organizations.scim_tokens.create', affected)
  const [name, setName] = useState('')
  const [days, setDays] = useState(defaultDays)
  if (create.data)
    return (
      <SecretOnce
        text={words.secret}
        secret={create.data.token}
        copyLabel={words.copy}
        doneLabel={words.done}
        onDone={create.reset}
      />
    )
  const request = { name: name.trim(), expires_in_days: days === 'never' ? null : Number(days) }
  const refused = readRefusedFields(create.error, null, fieldNames)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate(request, { onSuccess: () => setName('') })
  }
  return (
    <form className={`${layout['stack8']} ${styles['form']}`} onSubmit={submit}>
      <TextField
        label={words.name}
        required
        maxLength={200}
        value={name}
        onChange={setName}
        error={refused['name'] ?? null}
      />
      <SelectField
        label={words.validFor}
        value={days}
        onChange={setDays}
        choices={Object.entries(words.days).map(([value, label]) => ({ value, label }))}
        error={refused['expires_in_days'] ?? null}
      />
      <div className={layout['wrap']}>
        <Button type="submit" isPending={create.isPending}>
          {words.create}
        </Button>
        {request.name !== '' && <CopyCall operation="organizations.scim_tokens.create" input={request} />}
      </div>
      {create.isError && Object.keys(refused).length === 0 && <ProblemNote error={create.error} />}
    </form>
  )
}

function TokenRow({ token }: { token: ScimToken }) {
  const { id, name, prefix, created_at, created_by, expires_at, last_used_at, revoked_at } = token
  const nameOf = useMemberNames()
  const revoke = useCommand('organizations.scim_tokens.revoke', affected)
  return (
    <li className={layout['stack4']} aria-label={name}>
      <div className={layout['spread']}>
        <span>
          <strong className={typography['anywhere']}>{name}</strong> <Identifier id={`${prefix}…`} />
        </span>
        <CredentialBadge credential={token} />
      </div>
      <small className={typography['muted']}>
        {words.used} {last_used_at === null ? words.never : <Time at={last_used_at} />} · {words.created}{' '}
        <Time at={created_at} /> {credentialsTexts.by(nameOf(created_by))} · {words.ends}{' '}
        {expires_at === null ? words.never : <Time at={expires_at} />}
      </small>
      {revoked_at === null && (
        <div>
          <ConfirmButton
            label={words.revokeNamed(name)}
            verb={words.revoke}
            kind="plain"
            confirmKind="danger"
            title={words.revokeTitle}
            subject={name}
            text={words.revokeText}
            cancel={signOnTexts.cancel}
            call={['organizations.scim_tokens.revoke', { scim_token_id: id }]}
            command={revoke}
          />
        </div>
      )}
    </li>
  )
}
