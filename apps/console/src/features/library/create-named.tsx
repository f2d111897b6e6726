import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { InputOf, OperationId, OutputOf } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { libraryTexts } from '../../texts/library.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import styles from './library.module.css'
import layout from '../../ui/layout.module.css'

export interface CreateNamedProps<Id extends OperationId> {
  readonly operation: Id
  readonly label: string
  readonly toInput: (name: string) => InputOf<Id>
  readonly affected: readonly OperationId[]
  readonly onCreated?: (created: OutputOf<Id>) => void
}

/** A button that opens a field for the name of something new. */
export function CreateNamed<Id extends OperationId>(props: CreateNamedProps<Id>) {
  const { operation, label, toInput, affected, onCreated } = props
  const create = useCommand(operation, affected)
  const [name, setName] = useState<string | null>(null)
  if (name === null)
    return (
      <Button kind="quiet" icon={Plus} onClick={() => setName('')}>
        {label}
      </Button>
    )
  return (
    <form
      className={`${layout['fields']} ${layout['fill']} ${styles['create']}`}
      onKeyDown={({ key }) => key === 'Escape' && setName(null)}
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(toInput(name.trim()), {
          onSuccess: (created) => {
            setName(null)
            onCreated?.(created)
          },
        })
      }}
    >
      <TextField label={label} value={name} onChange={setName} required autoFocus maxLength={255} />
      <Button type="submit" kind="primary" isPending={create.isPending}>
        {libraryTexts.create}
      </Button>
      <Button onClick={() => setName(null)}>{libraryTexts.cancel}</Button>
      <CopyCall operation={operation} input={toInput(name.trim())} />
      {create.isError && <ProblemNote error={create.error} />}
    </form>
  )
}
