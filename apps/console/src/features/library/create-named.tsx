import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { InputOf, OperationId } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import styles from './library.module.css'

export interface CreateNamedProps<Id extends OperationId> {
  readonly operation: Id
  readonly label: string
  readonly toInput: (name: string) => InputOf<Id>
  readonly affected: readonly OperationId[]
}

/** A button that opens a field for the name of something new. */
export function CreateNamed<Id extends OperationId>({ operation, label, toInput, affected }: CreateNamedProps<Id>) {
  const create = useCommand(operation, affected)
  const [name, setName] = useState<string | null>(null)
  if (name === null)
    return <Button kind="quiet" icon={Plus} aria-label={label} title={label} onClick={() => setName('')} />
  return (
    <form
      className={styles['create']}
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(toInput(name.trim()), { onSuccess: () => setName(null) })
      }}
    >
      <TextField label={label} value={name} onChange={setName} required autoFocus />
      <Button type="submit" isPending={create.isPending}>
        {texts.library.create}
      </Button>
      {create.isError && <ProblemNote error={create.error} />}
    </form>
  )
}
