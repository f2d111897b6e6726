import { manifest, type OperationId } from '@swath/client/operations.ts'
import { useState } from 'react'
import { languages, writeSample, type Language } from '../../api/call-samples.ts'
import { useCommand } from '../../api/use-operation.ts'
import { callsTexts } from '../../texts/calls.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { Segments } from '../segments.tsx'
import styles from './calls.module.css'
import layout from '../layout.module.css'

const words = callsTexts

export interface CallSamplesProps {
  readonly operation: OperationId
  readonly input: object
  /** A key that was made a moment ago. */
  readonly secret?: string
}

/** The call as a program that can be copied, and a key for it, which is made in place. */
export function CallSamples({ operation, input, secret }: CallSamplesProps) {
  const [language, setLanguage] = useState<Language>('curl')
  const create = useCommand('api_keys.create', ['api_keys.list'])
  const key = secret ?? create.data?.key ?? null
  const sample = writeSample(language, location.origin, operation, input, key)
  return (
    <div className={`${layout['stack8']} ${styles['samples']}`}>
      <div className={layout['spread']}>
        <Segments
          label={words.title}
          choices={languages.map((value) => ({ value, label: words.languages[value] }))}
          value={language}
          onChange={setLanguage}
        />
        <CopyButton label={words.copy} text={sample} />
      </div>
      <pre data-sample tabIndex={0} aria-label={words.languages[language]}>
        {sample}
      </pre>
      {key === null ? (
        <p className={layout['spread']}>
          <small>{words.needsKey}</small>
          <Button isPending={create.isPending} onClick={() => create.mutate(toKeyInput(operation))}>
            {words.makeKey}
          </Button>
        </p>
      ) : (
        <p role="status">
          <small>{words.hasKey}</small>
        </p>
      )}
      {create.isError && <ProblemNote error={create.error} />}
    </div>
  )
}

const key_days = 30

/** A key for a call: it may read, and write if the call does. */
const toKeyInput = (operation: OperationId) => ({
  name: words.keyName(operation),
  permissions: manifest[operation][0] === 'read' ? ['can_read'] : ['can_read', 'can_write', 'can_process'],
  expires_in_days: key_days,
  spend_cap_credits: null,
  rate_limit: null,
})
