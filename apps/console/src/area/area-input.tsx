import { useState, type ChangeEvent } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx'
import { readArea } from './area-text.ts'
import styles from './area.module.css'
import { readSavedAreas, saveArea } from './saved-areas.ts'

const isKnown = (error: string): error is keyof typeof texts.area.errors => Object.hasOwn(texts.area.errors, error)

/** An area as text or from a file, and the areas that were saved in this browser. */
export function AreaInput({ area, onChange }: { area: AreaGeometry | null; onChange: (area: AreaGeometry) => void }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [saved, setSaved] = useState(readSavedAreas)
  const take = (source: string): void => {
    const reading = readArea(source)
    setError(reading.error !== null && isKnown(reading.error) ? texts.area.errors[reading.error] : reading.error)
    if (reading.area) onChange(reading.area)
  }
  const open = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    void target.files?.[0]?.text().then(take)
  }
  return (
    <div className={styles['input']}>
      <TextAreaField
        label={texts.area.text}
        help={texts.area.textHelp}
        error={error}
        value={text}
        onChange={setText}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void event.dataTransfer.files[0]?.text().then(take)
        }}
      />
      <div className={styles['row']}>
        <Button onClick={() => take(text)} disabled={text.trim() === ''}>
          {texts.area.use}
        </Button>
        <label className={styles['file']}>
          {texts.area.file}
          <input type="file" accept=".geojson,.json,.kml,.wkt,.txt" onChange={open} />
        </label>
      </div>
      {Object.keys(saved).length > 0 && (
        <SelectField
          label={texts.area.saved}
          value=""
          onChange={(key) => saved[key] && onChange(saved[key])}
          choices={[
            { value: '', label: texts.area.choose },
            ...Object.keys(saved).map((key) => ({ value: key, label: key })),
          ]}
        />
      )}
      {area && (
        <form
          className={styles['row']}
          onSubmit={(event) => {
            event.preventDefault()
            setSaved(saveArea(name.trim(), area))
            setName('')
          }}
        >
          <TextField label={texts.area.name} value={name} onChange={setName} required />
          <Button type="submit">{texts.area.save}</Button>
        </form>
      )}
    </div>
  )
}
