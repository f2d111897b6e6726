import { viewerTexts } from '../../../texts/viewer.ts'
import { CheckboxField } from '../../../ui/field.tsx'
import { findColours, isReversed, plainName, toGradient, useColormaps } from '../legend/use-colormaps.ts'
import styles from '../viewer.module.css'
import layout from '../../../ui/layout.module.css'

interface ColourPickerProps {
  /** Null is grey. */
  readonly value: string | null
  readonly onChange: (colormap: string | null) => void
}

/** The colormaps as swatches. */
export function ColourPicker({ value, onChange }: ColourPickerProps) {
  const colormaps = useColormaps()
  const name = value === null ? null : plainName(value)
  const isTurned = value !== null && isReversed(value)
  const choose = (plain: string | null, turned: boolean): void => onChange(plain && turned ? `${plain}_r` : plain)
  return (
    <>
      <div className={`${layout['stack4']} ${styles['swatches']}`} role="group" aria-label={viewerTexts.colours}>
        {colormaps.map((colormap) => (
          <button
            key={colormap.name}
            type="button"
            title={colormap.name}
            aria-label={colormap.name}
            aria-pressed={colormap.name.toLowerCase() === name?.toLowerCase()}
            onClick={() => choose(colormap.name, isTurned)}
          >
            <i
              style={{
                background: toGradient(findColours(colormaps, isTurned ? `${colormap.name}_r` : colormap.name)!),
              }}
              aria-hidden
            />
          </button>
        ))}
      </div>
      <CheckboxField
        label={viewerTexts.reversed}
        checked={isTurned}
        disabled={name === null || !findColours(colormaps, name)}
        onChange={(turned) => choose(name, turned)}
      />
    </>
  )
}
