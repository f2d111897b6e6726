import { CalendarDays } from 'lucide-react'
import { useRef, useState } from 'react'
import { uiTexts } from '../../texts/ui.ts'
import { dateText, parseDate } from './parse-date.ts'
import { Field } from '../field.tsx'
import styles from '../field.module.css'
import layout from '../layout.module.css'

export interface DateFieldProps {
  readonly label: string
  /** ISO dates; none is empty. */
  readonly value: string
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly onChange: (date: string) => void
}

const words = uiTexts.date

/** Why a date is not accepted; null if it is. */
function findError(date: string | null, min: string | undefined, max: string | undefined): string | null {
  if (date === null) return words.unknown
  if (min && date < min) return words.tooEarly(dateText(min))
  return max && date > max ? words.tooLate(dateText(max)) : null
}

const readText = (text: string): string | null => (text.trim() === '' ? '' : parseDate(text))

interface TypedText {
  readonly text: string
  /** The value when it was typed: once another control has changed it, the text is out of date. */
  readonly before: string
  readonly hasLeft: boolean
}

/** A date as the console writes it everywhere; ISO dates are understood as well, and the calendar of the browser opens beside it. */
export function DateField({ label, value, min, max, onChange }: DateFieldProps) {
  const [lastTyped, setTyped] = useState<TypedText | null>(null)
  const calendar = useRef<HTMLInputElement>(null)
  const lastDate = lastTyped && readText(lastTyped.text)
  const typed = lastTyped && (lastTyped.before === value || lastDate === value) ? lastTyped : null
  const error = typed && lastDate !== '' ? findError(lastDate, min, max) : null
  const type = (text: string): void => {
    setTyped({ text, before: value, hasLeft: false })
    const date = readText(text)
    if (date === '' || findError(date, min, max) === null) onChange(date ?? '')
  }
  // An accepted date is then shown in the one format; a refused text stays, with its reason.
  const leave = (): void => setTyped(typed && error ? { ...typed, hasLeft: true } : null)
  return (
    <Field label={label} error={typed?.hasLeft ? error : null}>
      {(ids) => (
        <span className={`${layout['relative']} ${styles['date']}`}>
          <input
            type="text"
            autoComplete="off"
            spellCheck={false}
            placeholder={words.example}
            {...ids}
            value={typed?.text ?? dateText(value)}
            onChange={({ target }) => type(target.value)}
            onBlur={leave}
          />
          <input
            ref={calendar}
            type="date"
            tabIndex={-1}
            aria-hidden
            value={value}
            min={min}
            max={max}
            onChange={({ target }) => {
              setTyped(null)
              onChange(target.value)
            }}
          />
          <button
            className={layout['center']}
            type="button"
            aria-label={words.open(label)}
            title={words.open(label)}
            onClick={() => calendar.current?.showPicker()}
          >
            <CalendarDays size={16} aria-hidden />
          </button>
        </span>
      )}
    </Field>
  )
}
