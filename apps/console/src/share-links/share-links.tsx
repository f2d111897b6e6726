import { useState } from 'react'
import { day_ms } from '@swath/geo/time-units.ts'
import type { InputOf } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../api/use-operation.ts'
import { shareLinksTexts } from '../texts/share-links.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { CopyCall } from '../ui/copy-call.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { formatTime } from '../ui/format.ts'
import { Identifier } from '../ui/identifier.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Section } from '../ui/screen.tsx'
import { Calls } from '../ui/calls/calls.tsx'
import styles from './share-links.module.css'
import layout from '../ui/layout.module.css'

const endAfter = (days: string): string => new Date(Date.now() + Number(days) * day_ms).toISOString()

type Permission = keyof typeof shareLinksTexts.permissions

export type ShareTarget = Pick<InputOf<'share.link.create'>, 'target_type' | 'target_id'>

/** Links with which people without an account see an item or a collection. */
export function ShareLinks({ target }: { target: ShareTarget }) {
  const links = useOperation('share.link.list', { ...target, active: true })
  const create = useCommand('share.link.create', ['share.link.list'])
  const revoke = useCommand('share.link.revoke', ['share.link.list'])
  const [password, setPassword] = useState('')
  const [days, setDays] = useState('30')
  const [permission, setPermission] = useState<Permission>('view')
  const words = shareLinksTexts
  return (
    <Section
      title={shareLinksTexts.title}
      actions={<CopyCall operation="share.link.list" input={{ ...target, active: true }} />}
    >
      <form
        className={layout['stack8']}
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(
            { ...target, permission, password, expires_at: endAfter(days) },
            { onSuccess: () => setPassword('') },
          )
        }}
      >
        <TextField
          label={words.password}
          help={words.passwordHelp}
          value={password}
          onChange={setPassword}
          minLength={8}
          autoComplete="off"
          required
        />
        <div className={`${layout['fields']} ${layout['firstGrows']}`}>
          <SelectField
            label={words.permission}
            value={permission}
            onChange={(value) => setPermission(value as Permission)}
            choices={Object.entries(words.permissions).map(([value, label]) => ({ value, label }))}
          />
          <SelectField
            label={words.days}
            value={days}
            onChange={setDays}
            choices={Object.entries(words.dayChoices).map(([value, label]) => ({ value, label }))}
          />
          <Button type="submit" isPending={create.isPending}>
            {words.create}
          </Button>
        </div>
        {create.isError && <ProblemNote error={create.error} />}
      </form>
      {create.data && (
        <div className={`${layout['stack8']} ${styles['fresh']}`} role="status">
          <p>{words.ready}</p>
          <Identifier id={create.data.url} />
          <CopyButton label={words.copy} text={create.data.url} />
        </div>
      )}
      <QueryView query={links} rows={1}>
        {({ links: known }) => (
          <ul className={`${layout['stack8']} ${layout['named']}`}>
            {known.map(({ id, url, permission: may, expires_at, access_count }) => (
              <li className={layout['row']} key={id}>
                <span>
                  {words.permissions[may]}{' '}
                  <small>{`${words.until} ${formatTime(expires_at)} · ${words.visits(access_count)}`}</small>
                </span>
                {url !== null && <CopyButton label={words.copy} text={url} />}
                <Button
                  kind="danger"
                  isPending={revoke.isPending && revoke.variables.link_id === id}
                  onClick={() => revoke.mutate({ link_id: id })}
                >
                  {words.revoke}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {revoke.isError && <ProblemNote error={revoke.error} />}
      <Calls
        calls={[
          [words.create, 'share.link.create', { ...target, permission, password: '…', expires_at: endAfter(days) }],
          [words.revoke, 'share.link.revoke', { link_id: links.data?.links[0]?.id ?? '…' }],
        ]}
      />
    </Section>
  )
}
