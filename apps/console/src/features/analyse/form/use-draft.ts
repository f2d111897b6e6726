import { useEffect, useRef, useState } from 'react'

const typing_pause_ms = 200

interface Draft {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onFocus: () => void
  readonly onBlur: () => void
}

/**
 * The text of a field whose value is a part of the URL: while a person types it is held here, because the URL follows
 * late, and it is written when they pause or leave the field.
 */
export function useDraft(value: string, commit: (text: string) => void): Draft {
  const [draft, setDraft] = useState<string | null>(null)
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => {
    if (draft === null || draft === value) return
    const timer = setTimeout(() => latest.current(draft), typing_pause_ms)
    return () => clearTimeout(timer)
  }, [draft, value])
  return {
    value: draft ?? value,
    onChange: setDraft,
    onFocus: () => setDraft(value),
    onBlur: () => {
      if (draft !== null && draft !== value) commit(draft)
      setDraft(null)
    },
  }
}
