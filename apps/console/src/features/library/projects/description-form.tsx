import { useState, type ReactNode } from 'react'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import layout from '../../../ui/layout.module.css'

export interface DescriptionFormProps {
  readonly name: string
  readonly description: string | null
  readonly isPending: boolean
  readonly onSave: (change: { readonly name: string; readonly description: string | null }) => void
  /** More fields, saved by themselves or with the others. */
  readonly children?: ReactNode
}

/** The name and the description of a project or a collection. */
export function DescriptionForm({ name, description, isPending, onSave, children }: DescriptionFormProps) {
  const [change, setChange] = useState({ name, description: description ?? '' })
  const isChanged = change.name.trim() !== name || change.description.trim() !== (description ?? '')
  return (
    <form
      className={layout['stack8']}
      onSubmit={(event) => {
        event.preventDefault()
        onSave({ name: change.name.trim(), description: change.description.trim() || null })
      }}
    >
      <TextField
        label={libraryTexts.name}
        value={change.name}
        onChange={(next) => setChange({ ...change, name: next })}
        maxLength={255}
        required
      />
      <TextAreaField
        label={libraryTexts.settings.description}
        value={change.description}
        onChange={(next) => setChange({ ...change, description: next })}
        rows={2}
      />
      {children}
      {isChanged && (
        <div className={layout['fields']}>
          <Button type="submit" kind="primary" isPending={isPending}>
            {libraryTexts.save}
          </Button>
        </div>
      )}
    </form>
  )
}
