import { useOperation } from '../../api/use-operation.ts'
import { sceneKey, type Scene } from './scenes.ts'

/** A scene by its key: one of those that were found, or else read from its host, as a link may name any. */
export function useScene(key: string | null, found: readonly Scene[], isComplete: boolean): Scene | undefined {
  const [, host_name = '', id = ''] = /^(\S+) (.+)$/.exec(key ?? '') ?? []
  const known = key === null ? undefined : found.find((scene) => sceneKey(scene) === key)
  const isRead = id !== '' && !known && isComplete
  const { data } = useOperation('catalog.search', { host_name, ids: [id] }, { enabled: isRead })
  return known ?? (isRead ? data?.features[0] : undefined)
}
