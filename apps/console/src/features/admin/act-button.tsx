import { useState } from 'react'
import type { InputOf, OperationId } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { TextField } from '../../ui/field.tsx'

export interface ActButtonProps<Id extends OperationId> {
  readonly verb: string
  readonly kind: 'danger' | 'primary'
  readonly title: string
  /** What is acted on, as a person knows it. */
  readonly subject: string
  readonly text: string
  readonly operation: Id
  /** Without the reason, which is asked for. */
  readonly input: Omit<InputOf<Id>, 'reason'>
  /** Read again afterwards. */
  readonly affected: readonly OperationId[]
}

/** An act of an operator: its dialog asks for the reason, without which it cannot be done. */
export function ActButton<Id extends OperationId>({ operation, input, affected, ...texted }: ActButtonProps<Id>) {
  const [reason, setReason] = useState('')
  const command = useCommand(operation, affected)
  const words = texts.admin
  return (
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
  )
}
