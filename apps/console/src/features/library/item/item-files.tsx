import { Download } from 'lucide-react'
import { useState } from 'react'
import { usePlatform } from '../../../api/platform.tsx'
import { useOperation } from '../../../api/use-operation.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Section } from '../../../ui/screen.tsx'
import { Calls } from '../../../ui/calls/calls.tsx'
import layout from '../../../ui/layout.module.css'

const words = libraryTexts.item

/** The files of an item, with their bands; each can be downloaded, or all as one ZIP. */
export function ItemFiles({ itemId }: { itemId: string }) {
  const input = { item_id: itemId }
  const assets = useOperation('items.list_assets', input)
  const { client } = usePlatform()
  const [error, setError] = useState<unknown>(null)
  const [pending, setPending] = useState<string | null>(null)
  const save = (id: string, work: () => Promise<void>): void => {
    setError(null)
    setPending(id)
    void work()
      .catch(setError)
      .finally(() => setPending(null))
  }
  const download = async (asset_id: string): Promise<void> => {
    const { url } = await client.call('items.asset.download', { ...input, asset_id })
    location.assign(url)
  }
  const downloadAll = async (): Promise<void> => {
    const { url, file_name } = await client.call('items.download', input)
    saveFile(url, file_name)
  }
  return (
    <Section title={words.files} actions={<CopyCall operation="items.list_assets" input={input} />}>
      <QueryView query={assets} rows={1}>
        {({ assets: files }) => (
          <>
            {files.length === 0 && <p>{words.noFiles}</p>}
            <ul className={`${layout['stack8']} ${layout['named']}`}>
              {files.map(({ id, key, title, band_names, file_size_bytes, media_type, ready }) => (
                <li className={layout['row']} key={id}>
                  <span>
                    {title ?? key}
                    <small>
                      {[
                        file_size_bytes !== null && formatBytes(file_size_bytes),
                        media_type.split(';')[0],
                        !ready && words.notReady,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </small>
                    {band_names.length > 0 && <small>{words.bands(band_names.join(', '))}</small>}
                  </span>
                  <Button
                    kind="quiet"
                    icon={Download}
                    disabled={!ready}
                    isPending={pending === id}
                    aria-label={`${words.download} ${title ?? key}`}
                    title={words.download}
                    onClick={() => ready && save(id, () => download(id))}
                  />
                </li>
              ))}
            </ul>
            {files.length > 0 && (
              <div className={layout['fields']}>
                <Button icon={Download} isPending={pending === 'all'} onClick={() => save('all', downloadAll)}>
                  {words.downloadAll}
                </Button>
              </div>
            )}
            <Calls
              calls={[
                ...(files[0]
                  ? [[words.download, 'items.asset.download', { ...input, asset_id: files[0].id }] as const]
                  : []),
                [words.downloadAll, 'items.download', input],
              ]}
            />
          </>
        )}
      </QueryView>
      {error !== null && <ProblemNote error={error} isRead />}
    </Section>
  )
}
