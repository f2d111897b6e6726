import { Link2Off, OctagonAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { shareTexts as texts } from '../texts/share.ts'
import { Card } from './card.tsx'
import { FailureText } from './failure-text.tsx'
import type { ClosedLink } from './link-failure.ts'
import { createVisitorClient } from './open-link.ts'
import { SharedContentView } from './shared-content-view.tsx'
import { type FailureNote, useSharedLink } from './use-shared-link.ts'
import { TextField } from '../ui/field.tsx'
import layout from '../ui/layout.module.css'

interface PasswordFormProps {
  /** Why the last attempt failed. */
  readonly note: FailureNote | null
  readonly isPending: boolean
  readonly typed: string
  readonly onSubmit: (password: string) => Promise<void>
}

const max_password_letters = 1000

/** Asks for the password of a link. A refused one stays, to be corrected. */
function PasswordForm({ note, isPending, typed, onSubmit }: PasswordFormProps) {
  const [password, setPassword] = useState(typed)
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setMissing(password === '')
    if (password !== '' && !isPending) void onSubmit(password)
  }
  return (
    <Card title={texts.title}>
      <p>{texts.password.prompt}</p>
      <form className={layout['stack12']} onSubmit={submit} noValidate>
        <TextField
          label={texts.password.label}
          type="password"
          name="password"
          autoComplete="off"
          autoFocus
          maxLength={max_password_letters}
          value={password}
          onChange={setPassword}
          error={isMissing && password === '' ? texts.password.missing : null}
        />
        {note && !isPending && <FailureText note={note} />}
        <Button kind="primary" type="submit" isPending={isPending}>
          {isPending ? texts.loading : texts.password.open}
        </Button>
      </form>
    </Card>
  )
}

export interface SharePageProps {
  /** The reason why the server does not open the link; null if the visitor has to enter its password. */
  readonly closed: ClosedLink | null
  /** Why the server did not look at the link. */
  readonly note: string | null
  /** Already in the password field. */
  readonly typed: string
}

/** The page of a share link for a visitor without an account. */
export function SharePage({ closed, note, typed }: SharePageProps) {
  const [client] = useState(createVisitorClient)
  const [link, { open, retry, readMore }] = useSharedLink(client, closed)
  if (link.step === 'open')
    return <SharedContentView client={client} visit={link.visit} content={link.content} readMore={readMore} />
  if (link.step === 'closed')
    return (
      <Card title={link.closed.title} icon={Link2Off}>
        <p role="alert">{link.closed.text}</p>
      </Card>
    )
  if (link.step === 'opening') return <Card title={texts.title}>{<p role="status">{texts.loading}</p>}</Card>
  if (link.step === 'failed')
    return (
      <Card title={texts.title} icon={OctagonAlert}>
        <FailureText note={link.note} />
        <Button kind="primary" onClick={() => void retry()}>
          {texts.retry}
        </Button>
      </Card>
    )
  return (
    <PasswordForm
      note={link.note ?? (note === null ? null : { text: note, traceId: null })}
      isPending={link.isPending}
      typed={typed}
      onSubmit={open}
    />
  )
}
