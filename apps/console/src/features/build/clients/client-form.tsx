import { useState, type FormEvent } from 'react'
import type { InputOf } from '@swath/client/operations.ts'
import { readRefusedFields } from '../../../api/refused-fields.ts'
import { buildTexts } from '../../../texts/build.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { uiTexts } from '../../../texts/ui.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { AccessFields } from '../scopes/access-fields.tsx'
import {
  grantsOfType,
  isDraftComplete,
  setGrant,
  toClientInput,
  type ClientDraft,
  type ClientType,
} from './client-draft.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = credentialsTexts.clients

type Refused = Readonly<Record<string, string>>

const fieldNames = new Set(['name', 'type', 'grants', 'redirect_uris', 'scopes', 'home_url', 'logo_url'])

export interface ClientFormProps {
  readonly initial: ClientDraft
  /** The id of the client that is changed; null for a new one, whose type can be chosen. */
  readonly clientId: string | null
  readonly command: {
    readonly isPending: boolean
    readonly error: Error | null
    readonly mutate: (input: InputOf<'oauth_clients.create'>) => void
  }
  readonly onCancel: () => void
}

/** What a program is, how it gets tokens, and what it may do with them at most. */
export function ClientForm({ initial, clientId, command, onCancel }: ClientFormProps) {
  const [draft, setDraft] = useState(initial)
  const change = (changes: Partial<ClientDraft>): void => setDraft({ ...draft, ...changes })
  const isComplete = isDraftComplete(draft)
  const input = toClientInput(draft)
  const refused = readRefusedFields(command.error, null, fieldNames)
  const { type: _type, ...changed } = input
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete) command.mutate(input)
  }
  return (
    <form className={layout['stack12']} onSubmit={submit}>
      <TextField
        label={buildTexts.name}
        value={draft.name}
        onChange={(name) => change({ name })}
        required
        autoFocus
        maxLength={200}
        error={refused['name'] ?? null}
      />
      {clientId === null && (
        <SelectField
          label={words.type}
          value={draft.type}
          onChange={(type) => change({ type: type as ClientType })}
          choices={Object.entries(words.types).map(([value, label]) => ({ value, label }))}
          error={refused['type'] ?? null}
        />
      )}
      <GrantFields draft={draft} onChange={change} refused={refused} />
      <AccessFields draft={draft.access} onChange={(access) => change({ access })} error={refused['scopes']} />
      <PageFields draft={draft} onChange={change} refused={refused} />
      <div className={layout['wrap']}>
        <Button type="submit" kind="primary" isPending={command.isPending} disabled={!isComplete}>
          {clientId === null ? words.create : words.save}
        </Button>
        <Button onClick={onCancel}>{uiTexts.cancel}</Button>
        {isComplete &&
          (clientId === null ? (
            <CopyCall operation="oauth_clients.create" input={input} />
          ) : (
            <CopyCall operation="oauth_clients.update" input={{ client_id: clientId, ...changed }} />
          ))}
      </div>
      {command.error && Object.keys(refused).length === 0 && <ProblemNote error={command.error} />}
    </form>
  )
}

interface FieldsProps {
  readonly draft: ClientDraft
  readonly onChange: (changes: Partial<ClientDraft>) => void
  readonly refused: Refused
}

/** The grants, and the redirect URIs where one needs them. */
function GrantFields({ draft: { type, grants, redirectUris }, onChange, refused }: FieldsProps) {
  return (
    <>
      <fieldset className={`${layout['boxed']} ${layout['stack8']}`}>
        <legend>{words.grants}</legend>
        {grantsOfType(type).map((grant) => (
          <CheckboxField
            key={grant}
            label={
              <>
                {words.grantTexts[grant]}{' '}
                <small className={`${typography['muted']} ${typography['mono']}`}>{grant}</small>
              </>
            }
            checked={grants.includes(grant)}
            onChange={(isChosen) => onChange({ grants: setGrant(grants, grant, isChosen) })}
          />
        ))}
        {refused['grants'] && (
          <small className={typography['bad']} role="alert">
            {refused['grants']}
          </small>
        )}
      </fieldset>
      {grants.includes('authorization_code') && (
        <TextAreaField
          label={words.redirectUris}
          help={words.redirectUrisHelp}
          value={redirectUris}
          onChange={(text) => onChange({ redirectUris: text })}
          required
          rows={3}
          spellCheck={false}
          error={refused['redirect_uris'] ?? null}
        />
      )}
    </>
  )
}

/** Who may use the program, and what people see of it. */
const PageFields = ({ draft: { homeUrl, logoUrl, isOpenToAll }, onChange, refused }: FieldsProps) => (
  <>
    <div className={layout['pair']}>
      <TextField
        label={words.homeUrl}
        help={words.urlHelp}
        value={homeUrl}
        onChange={(text) => onChange({ homeUrl: text })}
        inputMode="url"
        placeholder="https://"
        error={refused['home_url'] ?? null}
      />
      <TextField
        label={words.logoUrl}
        help={words.urlHelp}
        value={logoUrl}
        onChange={(text) => onChange({ logoUrl: text })}
        inputMode="url"
        placeholder="https://"
        error={refused['logo_url'] ?? null}
      />
    </div>
    <CheckboxField
      label={words.openToAll}
      checked={isOpenToAll}
      onChange={(isChosen) => onChange({ isOpenToAll: isChosen })}
    />
  </>
)
