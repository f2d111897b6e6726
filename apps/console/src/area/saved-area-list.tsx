import { Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { formatArea } from '../ui/format.ts'
import styles from './area.module.css'
import { deleteArea, readSavedAreas, saveArea } from './saved-areas.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

export interface SavedAreaListProps {
  readonly area: AreaGeometry | null
  readonly onChange: (area: AreaGeometry) => void
}

/** The areas that a person has named in this browser, and a name for the present one. */
export function SavedAreaList({ area, onChange }: SavedAreaListProps) {
  const [saved, setSaved] = useState(readSavedAreas)
  const [name, setName] = useState('')
  const names = Object.keys(saved)
  return (
    <>
      {names.length > 0 && (
        <ul className={`${layout['box']} ${styles['saved']}`} aria-label={texts.area.saved}>
          {names.map((key) => (
            <li className={layout['sides']} key={key}>
              <button className={layout['choice']} type="button" onClick={() => onChange(saved[key]!)}>
                <span className={typography['clip']}>{key}</span>
                <small className="figures">{formatArea(geometryArea_km2(saved[key]!))}</small>
              </button>
              <Button
                kind="quiet"
                icon={Trash2}
                aria-label={texts.area.remove(key)}
                title={texts.area.remove(key)}
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
          <TextField label={texts.area.name} value={name} onChange={setName} maxLength={60} required />
          <Button type="submit" icon={Save}>
            {texts.area.save}
          </Button>
        </form>
      )}
    </>
  )
}
