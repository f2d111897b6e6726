import { useState, type ReactNode } from 'react'
import type { InputOf, OperationId, OutputOf } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { TextField } from '../../ui/field.tsx'

export interface ActButtonProps<Id extends OperationId> {
  readonly verb: string
  readonly kind: 'danger' | 'primary' | 'plain'
  readonly title: string
  /** The name of the object that is acted on, for people. */
  readonly subject: string
  readonly text: string
  readonly operation: Id
  /** Without the reason, which the dialog asks for. */
  readonly input: Omit<InputOf<Id>, 'reason'>
  /** Read again afterwards. */
  readonly affected: readonly OperationId[]
  /** Renders the output of the act below the button, until the operator is done with it. */
  readonly renderResult?: (output: OutputOf<Id>, onDone: () => void) => ReactNode
}

/** An act of an operator: its dialog asks for the reason, without which it cannot be done. */
export function ActButton<Id extends OperationId>(props: ActButtonProps<Id>) {
  const { operation, input, affected, renderResult, ...texted } = props
  const [reason, setReason] = useState('')
  const command = useCommand(operation, affected)
  const words = adminTexts
  return (
    <>
      <ConfirmButton
        {...texted}
        label={words.labelOf(texted.verb, texted.subject)}
        cancel={words.cancel}
        call={[operation, { ...input, reason: reason.trim() } as unknown as InputOf<Id>]}
        command={command}
        isComplete={reason.trim() !== ''}
      >
        <TextField label={words.reason} help={words.reasonHelp} value={reason} onChange={setReason} required />
      </ConfirmButton>
      {command.data !== undefined && renderResult?.(command.data, command.reset)}
    </>
  )
}
