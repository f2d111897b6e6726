import { useMutation } from '@tanstack/react-query'
import { Map as MapIcon } from 'lucide-react'
import { usePlatform } from '../../api/platform.tsx'
import { isProblem } from '../../api/problem.ts'
import { chooseBaseMap } from '../../map/base/base-map-control.ts'
import { addPictures, type BasePicture } from '../../map/base/base-maps.ts'
import { toTileSource } from '../../map/item-layer.tsx'
import { libraryTexts } from '../../texts/library.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'

interface BasePictureButtonProps {
  /** Of the item or collection. */
  readonly id: string
  readonly title: string
  /** The items whose images are drawn, the newest first. */
  readonly readItems: () => Promise<readonly string[]>
}

/** Makes the images of items the background of the map in this browser, over the map of the server and below its names. */
export function BasePictureButton({ id, title, readItems }: BasePictureButtonProps) {
  const { client } = usePlatform()
  const readPicture = (item_id: string): Promise<BasePicture | null> =>
    client.call('items.tile.tilejson', { item_id }).then(toTileSource, (error: unknown) => {
      // An item without an image, among others that have one.
      if (isProblem(error, 'not-found', 'unsupported-raster')) return null
      throw error
    })
  const choose = useMutation({
    mutationFn: async () => {
      const pictures = await Promise.all((await readItems()).map(readPicture))
      const drawn = pictures.filter((picture) => picture !== null)
      if (drawn.length > 0) chooseBaseMap(addPictures(id, title, drawn.toReversed()))
      return drawn.length
    },
  })
  const words = libraryTexts.item
  return (
    <>
      <Button icon={MapIcon} isPending={choose.isPending} onClick={() => choose.mutate()}>
        {words.useAsBaseMap}
      </Button>
      {choose.isSuccess && <small role="status">{words.asBaseMap(choose.data)}</small>}
      {choose.isError && <ProblemNote error={choose.error} />}
    </>
  )
}
