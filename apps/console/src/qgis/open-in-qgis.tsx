import { Layers, Map as MapIcon, Table } from 'lucide-react'
import { useState } from 'react'
import { usePlatform } from '../api/platform.tsx'
import { qgisTexts } from '../texts/qgis.ts'
import { Button } from '../ui/button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { saveFile } from '../ui/save-file.ts'
import { Section } from '../ui/screen.tsx'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'
import { printConnectionFile, type ConnectionKind } from './connection-file.ts'
import { printLayerDefinition } from './layer-definition.ts'
import { layer_lifetime_days, readTileLayers, type QgisItem } from './read-tile-layers.ts'

export interface OpenInQgisProps {
  /** The name of the item, the order or the project. */
  readonly name: string
  readonly readItems: () => Promise<readonly QgisItem[]>
}

/** The name of a file: what most systems accept. */
const fileName = (name: string, extension: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'swath'}.${extension}`

/** The URLs of the connections. */
const paths: Readonly<Record<ConnectionKind, string>> = { stac: '/signed/assets/stac', features: '/assets/stac' }

/** Files that QGIS opens without a plugin: layers with their tokens, and connections without secrets. */
export function OpenInQgis({ name, readItems }: OpenInQgisProps) {
  const { client } = usePlatform()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isEmpty, setEmpty] = useState(false)
  const saveLayers = async (): Promise<void> => {
    const layers = await readTileLayers(client, await readItems())
    setEmpty(layers.length === 0)
    if (layers.length > 0) saveText(printLayerDefinition(name, layers), fileName(name, 'qlr'))
  }
  const start = (): void => {
    setError(null)
    setPending(true)
    void saveLayers()
      .catch(setError)
      .finally(() => setPending(false))
  }
  const saveConnection = (kind: ConnectionKind): void =>
    saveText(printConnectionFile(kind, 'Swath', location.origin + paths[kind]), `swath-qgis-${kind}.xml`)
  return (
    <Section title={qgisTexts.title}>
      <div className={layout['fields']}>
        <Button icon={Layers} isPending={isPending} title={qgisTexts.layersHelp(layer_lifetime_days)} onClick={start}>
          {qgisTexts.layers}
        </Button>
        <Button icon={MapIcon} title={qgisTexts.catalogueHelp} onClick={() => saveConnection('stac')}>
          {qgisTexts.catalogue}
        </Button>
        <Button icon={Table} title={qgisTexts.featuresHelp} onClick={() => saveConnection('features')}>
          {qgisTexts.features}
        </Button>
      </div>
      <p className={typography['note']}>{qgisTexts.layersHelp(layer_lifetime_days)}</p>
      {isEmpty && <p role="status">{qgisTexts.noLayers}</p>}
      {error !== null && <ProblemNote error={error} onRetry={start} isRead />}
    </Section>
  )
}

const saveText = (text: string, file_name: string): void => saveFile(new Blob([text], { type: 'text/xml' }), file_name)
