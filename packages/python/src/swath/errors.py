"""The errors of the package: `SwathError` is the base of all, and each problem of the platform has a class."""

from swath._generated.problems import *  # noqa: F403
from swath._generated.problems import PROBLEM_CLASSES as PROBLEM_CLASSES
from swath._problems import ApiProblem as ApiProblem
from swath._problems import CallTimeout as CallTimeout
from swath._problems import ConnectionFailed as ConnectionFailed
from swath._problems import SignInError as SignInError
from swath._problems import SwathError as SwathError
from swath._spends import PriceRequired as PriceRequired
from swath._transfer_errors import ChecksumMismatch as ChecksumMismatch
from swath._transfer_errors import FolderDownloadFailed as FolderDownloadFailed
from swath._transfer_errors import RemoteChanged as RemoteChanged
from swath._transfer_errors import TransferError as TransferError
from swath._transfer_errors import UnreadableFile as UnreadableFile
from swath._transfer_errors import WaitFailed as WaitFailed
from swath._transfer_errors import WaitTimeout as WaitTimeout
