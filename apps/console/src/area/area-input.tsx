import { useState } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { areaTexts } from '../texts/area.ts'
import { Button } from '../ui/button.tsx'
import { TextAreaField, TextField } from '../ui/field.tsx'
import styles from './area.module.css'
import type { AreaReader } from './use-area-reading.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'
import { Save, Trash2 } from 'lucide-react'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { formatArea } from '../ui/format.ts'
import { deleteArea, readSavedAreas, saveArea } from './saved-areas.ts'

interface SavedAreaListProps {
  readonly area: AreaGeometry | null
  readonly onChange: (area: AreaGeometry) => void
}

/** The areas that a person has named in this browser, and a name for the present one. */
function SavedAreaList({ area, onChange }: SavedAreaListProps) {
  const [saved, setSaved] = useState(readSavedAreas)
  const [name, setName] = useState('')
  const names = Object.keys(saved)
  return (
    <>
      {names.length > 0 && (
        <ul className={`${layout['box']} ${styles['saved']}`} aria-label={areaTexts.saved}>
          {names.map((key) => (
            <li className={layout['sides']} key={key}>
              <button className={layout['choice']} type="button" onClick={() => onChange(saved[key]!)}>
                <span className={typography['clip']}>{key}</span>
                <small className="figures">{formatArea(geometryArea_km2(saved[key]!))}</small>
              </button>
              <Button
                kind="quiet"
                icon={Trash2}
                aria-label={areaTexts.remove(key)}
                title={areaTexts.remove(key)}
                onClick={() => setSaved(deleteArea(key))}
              />
            </li>
          ))}
        </ul>
      )}
      {area && (
        <form
          className={layout['fieldAndButton']}
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() === '') return
            setSaved(saveArea(name.trim(), area))
            setName('')
          }}
        >
          <TextField label={areaTexts.name} value={name} onChange={setName} maxLength={60} required />
          <Button type="submit" icon={Save}>
            {areaTexts.save}
          </Button>
        </form>
      )}
    </>
  )
}

export interface AreaInputProps {
  readonly area: AreaGeometry | null
  readonly reader: AreaReader
  readonly onChange: (area: AreaGeometry) => void
}

/** An area as text or from a file, and the areas that were saved in this browser. */
export function AreaInput({ area, reader, onChange }: AreaInputProps) {
  const [text, setText] = useState('')
  return (
    <div className={layout['stack8']}>
      <TextAreaField
        label={areaTexts.text}
        help={areaTexts.textHelp}
        error={reader.error}
        value={text}
        onChange={setText}
        spellCheck={false}
      />
      <div className={styles['row']}>
        <Button onClick={() => reader.readText(text)} disabled={text.trim() === ''}>
          {areaTexts.use}
        </Button>
        <label className={`${layout['gap4']} ${typography['note']} ${styles['file']}`}>
          {areaTexts.file}
          <input
            type="file"
            accept=".geojson,.json,.kml,.kmz,.zip,.wkt,.txt"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) reader.readFile(file)
              // So that the same file can be chosen again.
              target.value = ''
            }}
          />
        </label>
      </div>
      <SavedAreaList area={area} onChange={onChange} />
    </div>
  )
}
