"""Tests that ``make test`` leaves to ``make test-full``, which runs all of them.

``make test`` has twenty minutes on two cores. These take seconds each, and show in another way, or
for a rarer input, what tests that stay show. Of cases that share what is dear, see ``all_but`` in
:mod:`tests.support.streaming.differential`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

_D: Final = "tests/dstream_compat"
_M: Final = "tests/migrator"

LONG_RUN: Final = (
    "tests/docs/test_assistants_page.py::test_the_calls_with_a_process_that_stands_for_spark",
    "tests/docs/test_demo.py::test_demo_ends_when_asked[2]",
    "tests/docs/test_demo.py::test_time_is_up",
    "tests/docs/test_fleet_page.py::test_commands[False]",
    "tests/docs/test_full_run.py::test_a_unit_stays_on_one_process",
    "tests/docs/test_skill.py::test_the_tools_and_pages_that_it_names_exist",
    "tests/docs/test_structured_page.py::test_command[migrate legacy_examples/network_wordcount",
    "tests/docs/test_verify_page.py::test_commands_with_a_process_that_stands_for_spark",
    f"{_D}/api/test_dataframes.py::test_a_killed_planner_is_replaced",
    f"{_D}/api/test_dataframes.py::test_rdds_of_the_batch_before[1000000",
    f"{_D}/api/test_dataframes.py::test_watermarks_pass_through",
    f"{_D}/api/test_operations.py::test_handler_of_the_user_stays",
    f"{_D}/api/test_operations.py::test_second_sigterm_ends_at_once",
    f"{_D}/api/test_operations.py::test_sigterm_without_the_setting_ends_at_once",
    f"{_D}/api/test_outputs.py::test_folders_that_exist_are_written_over[2]",
    f"{_D}/api/test_state_behind_transform.py::test_map_with_state_behind_transform",
    f"{_D}/api/test_state_behind_transform.py::test_stop_in_the_middle[hard]",
    f"{_D}/api/test_transform_nothing.py::test_same_as_dstreams[window]",
    f"{_D}/api/test_update_state.py::test_what_a_worker_lacks_is_not_kept[reduced-memory]",
    f"{_D}/api/test_update_state.py::test_what_a_worker_lacks_is_not_kept[window-memory]",
    f"{_D}/batch/test_commit_delay.py::test_a_job_that_goes_on_does_without_the_batch",
    f"{_D}/batch/test_commit_delay.py::test_an_error_that_a_window_has_kept_holds_nothing_back",
    f"{_D}/batch/test_commit_delay.py::test_mended_code_computes_the_failed_batch[hard-a function",
    f"{_D}/batch/test_commit_delay.py::test_mended_code_computes_the_failed_batch[hard-two",
    f"{_D}/batch/test_commit_delay.py::test_mended_code_computes_the_failed_batch[hard-what",
    f"{_D}/batch/test_past_batches.py::test_slice_same_as_dstreams[prompt]",
    f"{_D}/batch/test_shipped_functions.py::test_map_with_state",
    f"{_D}/checkpoint/test_checkpoint.py::test_initial_state_is_recovered_as_state",
    f"{_D}/checkpoint/test_rebuild.py::test_a_batch_of_another_file_system",
    f"{_D}/checkpoint/test_rebuild.py::test_another_timeout_is_taken",
    f"{_D}/checkpoint/test_rebuild.py::test_failed_batches_run_again_with_new_code",
    f"{_D}/checkpoint/test_rebuild.py::test_one_of_two_branches_may_change[now0]",
    f"{_D}/checkpoint/test_rebuild.py::test_one_of_two_branches_may_change[now1]",
    f"{_D}/checkpoint/test_rebuild.py::test_one_of_two_branches_may_change[now2]",
    f"{_D}/checkpoint/test_rebuild.py::test_sources_and_states_keep_their_places[alike]",
    f"{_D}/checkpoint/test_rebuild.py::test_sources_and_states_keep_their_places[another",
    f"{_D}/checkpoint/test_rebuild.py::test_sources_and_states_keep_their_places[same]",
    f"{_D}/checkpoint/test_rebuild.py::test_state_of_another_form_is_refused[timeout]",
    f"{_D}/checkpoint/test_rebuild.py::test_state_of_another_order_is_refused",
    f"{_D}/checkpoint/test_rebuild.py::test_the_number_of_partitions_stays",
    f"{_D}/checkpoint/test_recovered_variables.py::test_a_model_that_was_trained",
    f"{_D}/checkpoint/test_recovered_variables.py::test_what_cannot_be_saved_any_more[lock]",
    f"{_D}/cli/test_archive.py::test_a_broken_archive_harms_nobody",
    f"{_D}/cli/test_archive.py::test_a_job_that_fails_is_told",
    f"{_D}/cli/test_command_line.py::test_submit_runs_a_job",
    f"{_D}/cli/test_jars.py::test_a_folder_for_another_machine",
    f"{_D}/cli/test_jars.py::test_jobs_start_with_what_was_fetched",
    f"{_D}/differential/test_base_exceptions.py::test_an_interval_without_outputs",
    f"{_D}/differential/test_same_life.py::test_one_life",
    f"{_D}/differential/test_same_settings.py::test_batch_times_of_any_interval[0.25]",
    f"{_D}/differential/test_same_settings.py::test_batch_times_of_any_interval[60]",
    f"{_D}/differential/test_same_texts.py::test_the_same_on_blocks[always-stages]",
    f"{_D}/differential/test_same_texts.py::test_the_same_on_blocks[never-oneTask]",
    f"{_D}/differential/test_same_texts.py::test_the_same_on_blocks[never-stages]",
    f"{_D}/export/test_of_own.py::test_a_job_that_has_not_committed",
    f"{_D}/job/test_ends.py::test_interrupt_while_spark_computes_a_batch",
    f"{_D}/job/test_ends.py::test_second_interrupt_during_a_graceful_stop",
    f"{_D}/job/test_rescaling.py::test_functions_of_another_python_are_not_called[tracked-False]",
    f"{_D}/job/test_rescaling.py::test_functions_of_another_python_are_not_called[windows-False]",
    f"{_D}/listeners/test_listeners.py::test_batches_without_an_output_are_none",
    f"{_D}/listeners/test_streaming_tab.py::test_batches_are_those_of_dstreams",
    f"{_D}/native/test_numbers.py::test_numbers[None]",
    f"{_D}/native/test_numbers.py::test_numbers[flags]",
    f"{_D}/native/test_numbers.py::test_numbers[ints of 32 bits]",
    f"{_D}/native/test_numbers.py::test_numbers[small ints]",
    f"{_D}/old_checkpoint/test_sockets_with_a_log.py::test_what_was_logged_is_processed",
    f"{_D}/old_checkpoint/test_taking_over.py::test_a_graph_that_is_rebuilt_before",
    f"{_D}/old_checkpoint/test_taking_over.py::test_it_goes_on_as_plain_python",
    f"{_D}/recovery/test_dataframe_recovery.py::test_rows_that_come_during_a_stop[gracefully]",
    f"{_D}/recovery/test_interrupted_batches.py::test_a_failed_batch_behind_a_transform",
    f"{_D}/recovery/test_interrupted_batches.py::test_an_output_that_swallows_its_end",
    f"{_D}/recovery/test_interrupted_batches.py::test_the_first_batch_behind_a_transform["
    "swallowed]",
    f"{_D}/recovery/test_upgrades.py::test_totals_are_exact[own]",
    f"{_D}/recovery/test_worker_death.py::test_result_is_exact[task]",
    f"{_D}/source/files/test_file_names.py::test_a_folder_that_appears[binary]",
    f"{_D}/source/files/test_files.py::test_another_file_system_same_as_dstreams[binary]",
    f"{_D}/source/files/test_files.py::test_another_file_system_same_as_dstreams[text]",
    f"{_D}/source/kafka/test_kafka_direct.py::test_a_topic_gets_more_partitions",
    f"{_D}/source/kafka/test_kafka_direct.py::test_broker_restarts",
    f"{_D}/source/kafka/test_kafka_direct.py::test_offsets_are_stored_in_the_group_if_asked",
    f"{_D}/source/kafka/test_kafka_limits.py::test_many_late_intervals_do_not_lift_the_limit",
    f"{_D}/source/kafka/test_kafka_receivers.py::test_many_groups_read_what_came_before_their_"
    "interval_ended[4]",
    f"{_D}/source/kafka/test_kafka_receivers.py::test_many_groups_read_what_came_before_their_"
    "interval_ended[6]",
    f"{_D}/source/kafka/test_kafka_recovery.py::test_state_goes_on_in_the_next_context",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[broken_queues-late]",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[broken_queues-one by one]",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[queue_shapes-late]",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[queue_shapes-one by one]",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[queues_of_all_kinds-one",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[queues_of_kept_rdds-one",
    f"{_D}/source/receivers/test_sockets.py::test_files_same_as_dstreams[binary]",
    f"{_D}/source/test_task_servers.py::test_who_does_not_know_the_token_delays_nobody",
    f"{_D}/spark/test_attempts.py::test_functions_that_fail_at_first",
    f"{_D}/spark/test_console.py::test_errors_and_loggers_with_a_level_are_shown",
    f"{_D}/spark/test_socket_folder.py::test_a_job_whose_temporary_folder_has_a_long_path[submit]",
    f"{_D}/spark/test_workers.py::test_functions_of_modules_after_install",
    f"{_D}/spark/test_workers.py::test_functions_of_modules_under_run",
    f"{_D}/storage/test_disk.py::test_file_instead_of_a_folder",
    f"{_D}/storage/test_disk.py::test_read_only_folder",
    f"{_D}/testing/test_intervals.py::test_another_interval_is_refused[inputs1]",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_job[compat-0.5]",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_job[compat-17]",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_job[dstreams-2]",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_triggers[triggers0",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_triggers[triggers3",
    f"{_D}/testing/test_intervals.py::test_recorded_batches_are_of_their_own_time",
    f"{_D}/testing/test_intervals.py::test_the_interval_may_be_said",
    f"{_D}/testing/test_pytest_plugin.py::test_the_page",
    f"{_D}/testing/test_run_batches.py::test_queries",
    f"{_D}/testing/test_run_job.py::test_a_job_with_a_session_threads_and_files",
    f"{_D}/worker/operators/test_combiners.py::test_lists_of_a_constant_are_bounded",
    f"{_D}/worker/operators/test_map_with_state_checkpoint.py::test_snapshots_go_on_after_a_recov",
    f"{_D}/worker/reading/test_codecs.py::test_what_hadoop_writes[BZip2Codec]",
    f"{_D}/worker/test_large_groups.py::test_a_group_beyond_the_memory_setting",
    f"{_D}/worker/test_large_groups.py::test_a_large_partition_with_two_readers[source]",
    f"{_D}/worker/test_on_disk.py::test_map_side_sends_large_values_on",
    f"{_D}/worker/test_on_disk.py::test_merging_leaves_no_files_when_nobody_reads_to_the_end",
    "tests/legacy_examples/test_stateful.py::test_stateful_network_wordcount",
    "tests/legacy_examples/test_usage.py::test_usage[compat-recoverable_network_wordcount.py]",
    "tests/legacy_examples/test_usage.py::test_usage[compat-stateful_network_wordcount.py]",
    "tests/legacy_examples/test_usage.py::test_usage[compat-windowed_wordcount.py]",
    "tests/legacy_examples/test_word_counts.py::test_network_wordcount[spark]",
    f"{_M}/mcp/test_pages.py::test_a_huge_project_comes_in_pages",
    f"{_M}/mcp/test_server.py::test_no_code_of_the_folder_runs_but_that_of_jobs[empty",
    f"{_M}/mcp/test_workspace.py::test_settings_above_the_folder_count_for_nothing",
    f"{_M}/mcp/tools/test_preview.py::test_forms",
    f"{_M}/mcp/tools/test_remains.py::test_bugs_are_among_them",
    f"{_M}/mcp/tools/test_scan.py::test_paths_are_relative_to_the_folder",
    f"{_M}/mcp/tools/test_verify.py::test_huge_rows_are_bounded",
    f"{_M}/mcp/tools/test_verify.py::test_runs_are_bounded_by_the_server",
    f"{_M}/output/test_interruptions.py::test_a_recovery_killed_at_any_point",
    f"{_M}/output/test_interruptions.py::test_an_undo_killed_at_any_point",
    f"{_M}/reconcile/test_matching.py::test_batches_of_a_column",
    f"{_M}/reconcile/test_matching.py::test_batches_that_one_job",
    f"{_M}/reconcile/test_matching.py::test_columns_called_batch",
    f"{_M}/reconcile/test_matching.py::test_keys[json]",
    f"{_M}/reconcile/test_matching.py::test_keys[parquet]",
    f"{_M}/run/test_chosen_changes.py::test_golden_projects_become_what_is_accepted[structured]",
    f"{_M}/structured/batch_code/test_no_partitions.py::test_it_is_read_as_an_empty_one",
    f"{_M}/structured/operators/test_map_with_state.py::test_records_are_those_of_the_"
    "functions[classic]",
    f"{_M}/structured/test_starts.py::test_a_batch_that_was_saved_and_not_committed",
    f"{_M}/structured/test_starts.py::test_lines_of_a_socket_are_shown_in_their_order",
    f"{_M}/verify/test_fleet_verdicts.py::test_a_gate_leaves_verdicts_too",
    f"{_M}/verify/test_fleet_verdicts.py::test_a_recording_of_the_whole_comes_before_"
    "that_of_a_part",
    f"{_M}/verify/test_fleet_verdicts.py::test_verdicts_stay_when",
    f"{_M}/verify/test_gates.py::test_what_differs_is_not_written_in_place[options0]",
    f"{_M}/verify/test_gates.py::test_what_differs_is_not_written_in_place[options1]",
    f"{_M}/verify/test_legacy_examples.py::test_job[blacklist_filter.py-compat]",
    f"{_M}/verify/test_legacy_examples.py::test_job[queue_stream.py-compat]",
    f"{_M}/verify/test_legacy_examples.py::test_job[sql_network_wordcount.py-structured]",
    f"{_M}/verify/test_legacy_examples.py::test_job_with_recorded_outputs[rolling_statistics.py]",
    f"{_M}/verify/test_planted.py::test_a_harmless_change_passes[groups instead",
    f"{_M}/verify/test_planted.py::test_a_harmless_change_passes[more partitions]",
    f"{_M}/verify/test_planted.py::test_a_harmless_change_passes[other order in a batch]",
    f"{_M}/verify/test_planted.py::test_a_harmless_change_passes[renamed variable]",
    f"{_M}/verify/test_planted.py::test_a_wrong_migration_is_caught[float]",
    f"{_M}/verify/test_planted.py::test_a_wrong_migration_is_caught[missed None]",
    f"{_M}/verify/test_planted.py::test_a_wrong_migration_is_caught[sort removed]",
    f"{_M}/verify/test_project.py::test_expected_results_stand",
    f"{_M}/verify/test_project.py::test_no_run_outlives_a_command_that_is_interrupted_or_killed[2]",
    f"{_M}/verify/test_sending.py::test_a_job_that_sends_something_else[psycopg2-connection",
    f"{_M}/verify/test_sending.py::test_a_job_that_sends_something_else[redis-pipeline",
    f"{_M}/verify/test_sending.py::test_a_job_that_sends_something_else[requests-data",
    f"{_M}/verify/test_sending.py::test_a_job_that_sends_something_else[requests-mapPartitions",
    f"{_M}/verify/test_sending.py::test_calls_in_functions_of_streams_are_not_compared",
    f"{_M}/verify/test_sending.py::test_values_in_updates",
    f"{_M}/verify/test_structured_goldens.py::test_windows_begin_with_the_recording",
)
"""The beginnings of their names."""


def mark(items: Sequence[pytest.Item], whole: bool) -> None:
    """Mark such tests as ``full``.

    Parameters
    ----------
    items : sequence of Item
        what was collected
    whole : bool
        whether that is all there is: each name has to be there then

    Raises
    ------
    UsageError
        if no test has one of the names
    """
    known = set()
    for item in items:
        for name in LONG_RUN:
            if item.nodeid.startswith(name):
                item.add_marker(pytest.mark.full)
                known.add(name)
    if whole and (unknown := sorted({*LONG_RUN} - known)):
        raise pytest.UsageError(f"tests/support/long_run.py: no such tests: {unknown}")
