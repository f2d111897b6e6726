import { useState, type FormEvent } from 'react'
import type { Order } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

/** Changes the name and the tags of an order. */
export function EditOrder({ order, onDone }: { order: Order; onDone: () => void }) {
  const [name, setName] = useState(order.displayName)
  const [tags, setTags] = useState(order.tags.join(', '))
  const update = useCommand('orders.update', ['orders.get', 'orders.list'])
  const list = tags.split(',').map((tag) => tag.trim())
  const input = { order_id: order.id, displayName: name.trim() || null, tags: list.filter((tag) => tag !== '') }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    update.mutate(input, { onSuccess: onDone })
  }
  return (
    <Section title={texts.orders.editTitle}>
      <form className={layout['stack8']} onSubmit={submit}>
        <TextField label={texts.orders.nameField} value={name} onChange={setName} autoFocus />
        <TextField label={texts.orders.tags} help={texts.orders.tagsHelp} value={tags} onChange={setTags} />
        {update.error && <ProblemNote error={update.error} />}
        <div className={`${layout['facts']} ${typography['small']}`}>
          <Button type="submit" kind="primary" isPending={update.isPending}>
            {texts.orders.save}
          </Button>
          <Button onClick={onDone}>{texts.ui.cancel}</Button>
          <CopyCall operation="orders.update" input={input} />
        </div>
      </form>
    </Section>
  )
}
