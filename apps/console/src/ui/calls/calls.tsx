import type { OperationId } from '@swath/client/operations.ts'
import { uiTexts } from '../../texts/ui.ts'
import { CopyCall } from '../copy-call.tsx'
import styles from './calls.module.css'
import layout from '../layout.module.css'
import typography from '../typography.module.css'

export type CallRow = readonly [label: string, operation: OperationId, input: object]

/** The calls of the buttons of a screen, to copy. */
export function Calls({ calls }: { calls: readonly CallRow[] }) {
  return (
    <details className={styles['calls']}>
      <summary className={`${layout['fit']} ${typography['small']}`}>{uiTexts.calls}</summary>
      <ul>
        {calls.map(([label, operation, input]) => (
          <li className={layout['lines']} key={label}>
            <span>
              {label} <code className={`${typography['muted']} ${typography['mono']}`}>{operation}</code>
            </span>
            <CopyCall operation={operation} input={input} />
          </li>
        ))}
      </ul>
    </details>
  )
}
