import { useState } from 'react'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, TextField } from '../../../ui/field.tsx'
import { groupScopes, isPrivileged, type ScopeGroup } from './scopes.ts'
import styles from '../build.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = credentialsTexts.scopes

export interface ScopeChoiceProps {
  readonly offered: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (scopes: readonly string[]) => void
  /** Why the platform refuses them. */
  readonly error?: string | undefined
}

const isReading = (scope: string): boolean => scope.endsWith(':read') && !isPrivileged(scope)

/** The scopes that a credential may have, by resource, with what each lets a program do; a text narrows the list. */
export function ScopeChoice({ offered, chosen, onChange, error }: ScopeChoiceProps) {
  const [text, setText] = useState('')
  const groups = groupScopes(offered, text)
  const setScope = (scope: string, isChosen: boolean): void =>
    onChange(offered.filter((one) => (one === scope ? isChosen : chosen.includes(one))))
  return (
    <fieldset className={`${layout['boxed']} ${layout['stack8']}`}>
      <legend>{words.chosen(chosen.length)}</legend>
      <TextField label={words.find} type="search" value={text} onChange={setText} error={error ?? null} />
      <div className={layout['wrap']}>
        <Button onClick={() => onChange(offered.filter((one) => chosen.includes(one) || isReading(one)))}>
          {words.addReading}
        </Button>
        <Button disabled={chosen.length === 0} onClick={() => onChange([])}>
          {words.clear}
        </Button>
      </div>
      <div className={`${layout['stack12']} ${styles['scopes']}`}>
        {groups.map((group) => (
          <ScopeRows key={group.resource} group={group} chosen={chosen} onChange={setScope} />
        ))}
        {groups.length === 0 && <p role="status">{words.none}</p>}
      </div>
    </fieldset>
  )
}

interface ScopeRowsProps {
  readonly group: ScopeGroup
  readonly chosen: readonly string[]
  readonly onChange: (scope: string, isChosen: boolean) => void
}

const ScopeRows = ({ group: { title, scopes }, chosen, onChange }: ScopeRowsProps) => (
  <div className={`${layout['stack4']} ${layout['top']}`} role="group" aria-label={title}>
    <strong aria-hidden>{title}</strong>
    {scopes.map(({ scope, text }) => (
      <CheckboxField
        key={scope}
        label={
          <>
            {text} <small className={`${typography['muted']} ${typography['mono']}`}>{scope}</small>
          </>
        }
        checked={chosen.includes(scope)}
        onChange={(isChosen) => onChange(scope, isChosen)}
      />
    ))}
  </div>
)
