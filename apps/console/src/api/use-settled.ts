import { useEffect, useState } from 'react'

const typing_pause_ms = 200

/** The value as it was when it last stayed the same for a moment: what is typed is not asked for with each letter. */
export function useSettled<Value extends string | number | null>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typing_pause_ms)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
