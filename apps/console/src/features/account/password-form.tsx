import { useState, type FormEvent } from 'react'
import { useCommand } from '../../api/use-operation.ts'
import { personTexts } from '../../texts/person.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import styles from './account.module.css'
import layout from '../../ui/layout.module.css'

const words = personTexts.password

/** Replaces the password; all other sessions end. */
export function PasswordForm() {
  const change = useCommand('users.password.change', ['users.sessions.list'])
  const [password, setPassword] = useState('')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const isUnequal = again !== '' && again !== next
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const clear = (): void => [setPassword, setNext, setAgain].forEach((set) => set(''))
    if (next === again) change.mutate({ password, new_password: next }, { onSuccess: clear })
  }
  const field = { type: 'password', required: true } as const
  return (
    <Section title={words.heading}>
      <form className={`${layout['stack8']} ${styles['form']}`} onSubmit={submit}>
        <TextField
          {...field}
          label={words.present}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <TextField {...field} label={words.next} autoComplete="new-password" value={next} onChange={setNext} />
        <TextField
          {...field}
          label={words.again}
          autoComplete="new-password"
          error={isUnequal ? words.unequal : null}
          value={again}
          onChange={setAgain}
        />
        <div>
          <Button type="submit" kind="primary" isPending={change.isPending}>
            {words.change}
          </Button>
        </div>
        {change.data && <p role="status">{words.changed(change.data.ended_sessions)}</p>}
        {change.isError && <ProblemNote error={change.error} />}
      </form>
    </Section>
  )
}
