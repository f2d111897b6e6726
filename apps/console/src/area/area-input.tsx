import { useState } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { TextAreaField } from '../ui/field.tsx'
import styles from './area.module.css'
import { SavedAreaList } from './saved-area-list.tsx'
import type { AreaReader } from './use-area-reading.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

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
        label={texts.area.text}
        help={texts.area.textHelp}
        error={reader.error}
        value={text}
        onChange={setText}
        spellCheck={false}
      />
      <div className={styles['row']}>
        <Button onClick={() => reader.readText(text)} disabled={text.trim() === ''}>
          {texts.area.use}
        </Button>
        <label className={`${layout['gap4']} ${typography['note']} ${styles['file']}`}>
          {texts.area.file}
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
