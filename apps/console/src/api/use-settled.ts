import { useEffect, useState } from 'react'

const typing_pause_ms = 200

/** The value when it last stayed the same for a moment, so that not every typed letter sends a request. */
export function useSettled<Value extends string | number | null>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typing_pause_ms)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
