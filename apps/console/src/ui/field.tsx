import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import styles from './field.module.css'
import layout from './layout.module.css'
import typography from './typography.module.css'

interface FieldProps {
  readonly label: string
  /** A hint on what to enter, in a few words. */
  readonly help?: ReactNode
  /** Why the value is not accepted. */
  readonly error?: string | null
}

interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A label, one control, and its help or error below it. */
export function Field({ label, help, error, children }: FieldProps & { children: (ids: FieldIds) => ReactNode }) {
  const id = useId()
  const note = error ?? help
  return (
    <div className={`${layout['stack4']} ${layout['narrow']} ${styles['field']}`}>
      <label className={typography['note']} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error ? true : undefined })}
      {note && (
        <small id={`${id}-note`} className={error ? typography['bad'] : undefined}>
          {note}
        </small>
      )}
    </div>
  )
}

type Controlled<Attributes> = FieldProps &
  Omit<Attributes, 'onChange' | 'value'> & {
    readonly value: string
    readonly onChange: (value: string) => void
  }

export function TextField({
  label,
  help,
  error,
  onChange,
  ...rest
}: Controlled<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <Field label={label} help={help} error={error ?? null}>
      {(ids) => <input type="text" {...rest} {...ids} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  )
}

type DigitsFieldProps = Omit<Controlled<InputHTMLAttributes<HTMLInputElement>>, 'type' | 'inputMode'>

/** A field for a whole number; other characters are not taken over. */
export const DigitsField = ({ onChange, ...rest }: DigitsFieldProps) => (
  <TextField {...rest} inputMode="numeric" onChange={(text) => onChange(text.replaceAll(/\D/g, ''))} />
)

export function TextAreaField({
  label,
  help,
  error,
  onChange,
  ...rest
}: Controlled<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <Field label={label} help={help} error={error ?? null}>
      {(ids) => <textarea rows={4} {...rest} {...ids} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
}

export function SelectField({
  label,
  help,
  error,
  choices,
  onChange,
  ...rest
}: Controlled<SelectHTMLAttributes<HTMLSelectElement>> & { readonly choices: readonly Choice[] }) {
  return (
    <Field label={label} help={help} error={error ?? null}>
      {(ids) => (
        <select {...rest} {...ids} onChange={({ target }) => onChange(target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export interface RangeFieldProps {
  readonly label: string
  /** The value as a person reads it, with its unit. */
  readonly shown: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly step: number
  readonly onChange: (value: number) => void
}

export function RangeField({ label, shown, onChange, ...rest }: RangeFieldProps) {
  const id = useId()
  return (
    <div className={`${layout['stack4']} ${layout['narrow']} ${styles['field']}`}>
      <label className={typography['note']} htmlFor={id}>
        {label} <output className="figures">{shown}</output>
      </label>
      <input
        id={id}
        type="range"
        {...rest}
        aria-valuetext={shown}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </div>
  )
}

export interface CheckboxFieldProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
}

export function CheckboxField({ label, checked, onChange, disabled = false }: CheckboxFieldProps) {
  return (
    <label className={layout['iconAndText']}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
