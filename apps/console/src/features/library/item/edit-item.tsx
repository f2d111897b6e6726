import { useState } from 'react'
import type { InputOf } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import type { LibraryItem } from './library-item.ts'
import layout from '../../../ui/layout.module.css'

const words = libraryTexts.item

/** The object that a text describes; null for any other text. */
function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Changes the name, the description, the time and the properties of an item. */
export function EditItem({ item, onEnd }: { item: LibraryItem; onEnd: () => void }) {
  const update = useCommand('items.update', ['items.get', 'stac.search', 'stac.queryables'])
  const before = JSON.stringify(item.properties, null, 2)
  const [name, setName] = useState(item.name)
  const [description, setDescription] = useState(item.description ?? '')
  const [taken, setTaken] = useState(item.datetime ?? '')
  const [text, setText] = useState(before)
  const properties = parseObject(text)
  const input: InputOf<'items.update'> = {
    item_id: item.id,
    name: name.trim(),
    description: description.trim() || null,
    ...(taken.trim() === (item.datetime ?? '') ? {} : { datetime: taken.trim() || null }),
    ...(text !== before && properties ? { properties } : {}),
  }
  return (
    <form
      className={layout['stack8']}
      onSubmit={(event) => {
        event.preventDefault()
        if (properties) update.mutate(input, { onSuccess: onEnd })
      }}
    >
      <TextField label={libraryTexts.name} value={name} onChange={setName} required autoFocus />
      <TextAreaField label={words.description} value={description} onChange={setDescription} rows={2} />
      {item.start_datetime === null ? (
        <TextField label={words.taken} help={words.takenHelp} value={taken} onChange={setTaken} />
      ) : null}
      <TextAreaField
        label={words.properties}
        help={words.propertiesHelp}
        error={properties ? null : words.notJson}
        value={text}
        onChange={setText}
        rows={8}
        spellCheck={false}
      />
      <div className={layout['fields']}>
        <Button type="submit" kind="primary" isPending={update.isPending} disabled={!properties}>
          {libraryTexts.save}
        </Button>
        <Button onClick={onEnd}>{libraryTexts.cancel}</Button>
        <CopyCall operation="items.update" input={input} />
      </div>
      {update.isError && <ProblemNote error={update.error} />}
    </form>
  )
}
