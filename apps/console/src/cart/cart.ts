import { useSyncExternalStore } from 'react'
import type { Geometry } from '@swath/client/operations.ts'
import { readStored, watchStored, writeStored } from '../api/storage.ts'

/** A scene that a person means to buy, whole or cut to an area. */
export interface CartLine {
  readonly host_name: string
  /** The id of the capture at its host. */
  readonly id: string
  /** When it was taken, ISO 8601. */
  readonly datetime: string | null
  readonly footprint: Geometry | null
  /** The part of the scene that is bought; null is the whole scene. */
  readonly area: Geometry | null
}

const key = 'swath.cart'
const changed = 'swath:cart'

export const sameScene = (left: CartLine, right: Pick<CartLine, 'host_name' | 'id'>): boolean =>
  left.host_name === right.host_name && left.id === right.id

/** Parses the lines of a stored text; a text that is not a cart gives an empty one. */
export function parseCart(text: string | null): readonly CartLine[] {
  try {
    const lines: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(lines) ? lines.filter(isLine) : []
  } catch {
    return []
  }
}

const isLine = (value: unknown): value is CartLine =>
  typeof value === 'object' && value !== null && 'host_name' in value && 'id' in value

function writeCart(lines: readonly CartLine[]): void {
  writeStored(key, lines.length === 0 ? null : JSON.stringify(lines))
  dispatchEvent(new Event(changed))
}

export const addToCart = (line: CartLine): void =>
  writeCart([...parseCart(readStored(key)).filter((other) => !sameScene(other, line)), line])

export const removeFromCart = (scene: Pick<CartLine, 'host_name' | 'id'>): void =>
  writeCart(parseCart(readStored(key)).filter((line) => !sameScene(line, scene)))

export const clearCart = (): void => writeCart([])

const subscribe = watchStored(changed)

/** The cart of this browser, in all its windows. */
export function useCart(): readonly CartLine[] {
  const text = useSyncExternalStore(subscribe, () => readStored(key))
  return parseCart(text)
}
