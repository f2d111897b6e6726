import styles from './segments.module.css'
import layout from './layout.module.css'

export interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A few choices side by side, one of which holds. */
export function Segments<Value extends string>({ label, choices, value, onChange }: SegmentsProps<Value>) {
  return (
    <div className={`${layout['box']} ${styles['segments']}`} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
