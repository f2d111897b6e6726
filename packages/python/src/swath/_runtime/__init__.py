"""What tasks of asyncio and threads do differently, under the same names. `_async` uses `aio`, and the modules printed from it
use `threads`."""
