import { fileSource } from './source/file.ts'
import { openRaster } from './tiff/open.ts'
import { readWindow } from './tiff/read.ts'
import { globSync } from 'node:fs'
import { createHash } from 'node:crypto'
for (const f of globSync('/work/shared/data/rasters/**/*.tif')) {
  const s = await fileSource(f)
  try { const r = await openRaster(s);
   for (const l of r.levels) {
   const p = await readWindow(r, {level: l.index, window: [0,0,l.width,l.height], budget_bytes: 4e9})
   const h = createHash('md5').update(new Uint8Array(p.data.buffer, p.data.byteOffset, p.data.byteLength)).digest('hex')
   const m = createHash('md5').update(p.mask).digest('hex')
   console.log(f.slice(26)+'#'+l.index, h, m) }
  } catch (e) { console.log(f.slice(26), 'FAIL', (e as any).kind ?? (e as Error).stack, (e as Error).message) }
  await s.close()
}
