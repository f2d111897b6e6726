import { useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { shareTexts as texts } from '../texts/share.ts'
import { Card } from './card.tsx'
import { FailureText } from './failure-text.tsx'
import type { FailureNote } from './use-shared-link.ts'
import layout from '../ui/layout.module.css'

export interface PasswordFormProps {
  /** Why the last attempt failed. */
  readonly note: FailureNote | null
  readonly isPending: boolean
  readonly typed: string
  readonly onSubmit: (password: string) => Promise<void>
}

const max_password_letters = 1000

/** Asks for the password of a link. A refused one stays, to be corrected. */
export function PasswordForm({ note, isPending, typed, onSubmit }: PasswordFormProps) {
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
