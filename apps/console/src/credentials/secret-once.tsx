import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Identifier } from '../ui/identifier.tsx'
import layout from '../ui/layout.module.css'

export interface SecretOnceProps {
  /** Says that it is shown only now. */
  readonly text: string
  readonly secret: string
  readonly copyLabel: string
  readonly doneLabel: string
  readonly onDone: () => void
  /** What belongs to it, between the secret and the buttons. */
  readonly children?: ReactNode
}

/** A secret that the platform has just made, and that nobody can read again. */
export const SecretOnce = ({ text, secret, copyLabel, doneLabel, onDone, children }: SecretOnceProps) => (
  <>
    <p role="status">{text}</p>
    <Identifier id={secret} />
    {children}
    <div className={layout['wrap']}>
      <CopyButton label={copyLabel} text={secret} />
      <Button onClick={onDone}>{doneLabel}</Button>
    </div>
  </>
)
