import { Bookmark } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useCommand } from '../../api/use-operation.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { CheckboxField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import type { LonLatBounds } from '../../map/view/target-bounds.ts'
import { isPartlySaved, toSavedInput, type ExploreFilters } from './filters.ts'
import layout from '../../ui/layout.module.css'

const words = exploreTexts.save

export interface SaveSearchProps {
  readonly filters: ExploreFilters
  readonly bounds: LonLatBounds
}

/** A button that opens a form for the name, and says when the search is saved. */
export function SaveSearch(props: SaveSearchProps) {
  const [savedName, setSavedName] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <SaveForm
        {...props}
        onDone={(name) => {
          setOpen(false)
          if (name) setSavedName(name)
        }}
      />
    )
  return (
    <>
      <Button kind="plain" icon={Bookmark} onClick={() => setOpen(true)}>
        {words.button}
      </Button>
      {savedName && <small role="status">{words.saved(savedName)}</small>}
    </>
  )
}

function SaveForm({ filters, bounds, onDone }: SaveSearchProps & { onDone: (name: string | null) => void }) {
  const save = useCommand('catalog.search.save', ['catalog.search.list'])
  const [name, setName] = useState('')
  const [isWatched, setWatched] = useState(true)
  const input = { name: name.trim(), notify: isWatched, ...toSavedInput(filters, bounds) }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
    save.mutate(input, { onSuccess: (search) => onDone(search.name) })
  }
  return (
    <form className={`${layout['stack8']}`} aria-label={words.button} onSubmit={submit}>
      <TextField label={words.name} value={name} onChange={setName} required maxLength={255} />
      <CheckboxField label={words.notify} checked={isWatched} onChange={setWatched} />
      {isPartlySaved(filters) && <small>{words.leftOut}</small>}
      <div className={layout['wrap']}>
        <Button type="submit" kind="primary" isPending={save.isPending} disabled={name.trim() === ''}>
          {words.submit}
        </Button>
        <Button onClick={() => onDone(null)}>{uiTexts.cancel}</Button>
        <CopyCall operation="catalog.search.save" input={input} />
      </div>
      {save.isError && <ProblemNote error={save.error} />}
    </form>
  )
}
