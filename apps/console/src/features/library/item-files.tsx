import { Download } from 'lucide-react'
import { useState } from 'react'
import { usePlatform } from '../../api/platform.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import styles from './library.module.css'

/** The files of an item, with their bands; each can be downloaded. */
export function ItemFiles({ itemId }: { itemId: string }) {
  const assets = useOperation('items.list_assets', { item_id: itemId })
  const { client } = usePlatform()
  const [error, setError] = useState<unknown>(null)
  const download = async (asset_id: string): Promise<void> => {
    const { url } = await client.call('items.asset.download', { item_id: itemId, asset_id })
    location.assign(url)
  }
  return (
    <Section title={texts.library.item.files}>
      <QueryView query={assets} rows={1}>
        {({ assets: files }) => (
          <ul className={styles['links']}>
            {files.map(({ id, key, title, band_names, file_size_bytes, ready }) => (
              <li key={id}>
                <span>
                  {title ?? key}
                  <small>
                    {' '}
                    {[file_size_bytes !== null && formatBytes(file_size_bytes), band_names.join(', ')]
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                </span>
                <Button
                  kind="quiet"
                  icon={Download}
                  disabled={!ready}
                  aria-label={`${texts.library.item.download} ${title ?? key}`}
                  onClick={() => void download(id).catch(setError)}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {error !== null && <ProblemNote error={error} />}
    </Section>
  )
}
